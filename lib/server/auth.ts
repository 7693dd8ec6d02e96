import type { IncomingMessage, ServerResponse } from "node:http";
import { apiRefusal, defaultApiHeaders, type Refusal } from "@/lib/server/refusal";

/** Sign-in stays with the framework: it lives on its cookies and redirects. */
export const AUTH_PATH = /^\/api\/auth(?:\/|$)/;

const ALLOW = { Allow: "GET, POST" };
const MAX_FORM = 16 * 1024;

/** What the framework would answer with an empty page, or read whole, is refused here. */
export function inspectAuth(incoming: IncomingMessage): Refusal | undefined {
  const { method, headers } = incoming;
  if (method === "OPTIONS") {
    return { status: 204, headers: { ...defaultApiHeaders(), ...ALLOW }, body: "" };
  }
  if (method !== "GET" && method !== "POST") return apiRefusal("METHOD_NOT_ALLOWED", undefined, ALLOW);
  if (headers["transfer-encoding"] !== undefined) {
    return apiRefusal("VALIDATION_ERROR", "Send the body with a Content-Length");
  }
  if (Number(headers["content-length"] ?? 0) > MAX_FORM) return apiRefusal("PAYLOAD_TOO_LARGE");
  return undefined;
}

/** Adds the headers of every API response at the last moment, where the framework did not set its own. */
export function fillApiHeaders(outgoing: ServerResponse): void {
  const writeHead = outgoing.writeHead.bind(outgoing);
  const patched = (...words: Parameters<typeof writeHead>) => {
    const { "Content-Type": _, ...standard } = defaultApiHeaders();
    for (const [name, value] of Object.entries(standard)) {
      if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value);
    }
    return writeHead(...words);
  };
  outgoing.writeHead = patched as typeof outgoing.writeHead;
}
