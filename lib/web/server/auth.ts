import type { IncomingMessage } from "node:http";
import { hasStrayBody } from "@/lib/web/server/guard";
import { apiRefusal, defaultApiHeaders, type ServerRefusal } from "@/lib/web/server/refusal";

/** Sign-in stays with Next, because it needs Next's cookies and redirects. */
export const AUTH_PATH = /^\/api\/auth(?:\/|$)/;

const ALLOW = { Allow: "GET, POST" };
const MAX_FORM = 16 * 1024;

/** Refuses requests to which Next would answer with an empty page, and bodies that it would read without a limit. */
export function inspectAuth(incoming: IncomingMessage): ServerRefusal | undefined {
  const { method, headers } = incoming;
  if (method === "OPTIONS") {
    return { status: 204, headers: { ...defaultApiHeaders(), ...ALLOW }, body: "" };
  }
  if (method !== "GET" && method !== "POST") return apiRefusal("METHOD_NOT_ALLOWED", undefined, ALLOW);
  if (headers["transfer-encoding"] !== undefined) {
    return apiRefusal("VALIDATION_ERROR", "Send the body with a Content-Length");
  }
  if (hasStrayBody(incoming)) return apiRefusal("VALIDATION_ERROR", "Send GET without a body");
  if (Number(headers["content-length"] ?? 0) > MAX_FORM) return apiRefusal("PAYLOAD_TOO_LARGE");
  return undefined;
}
