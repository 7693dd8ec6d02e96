import type { ServerResponse } from "node:http";
import { defaultApiHeaders, NO_CONTENT_POLICY } from "@/lib/web/server/refusal";
import { securityHeaders } from "@/lib/web/session/page-headers";

/** Calls `add` as late as possible, with the status of the response. */
function beforeHead(outgoing: ServerResponse, add: (status: number) => void): void {
  const writeHead = outgoing.writeHead.bind(outgoing);
  const patched = (...head: Parameters<typeof writeHead>) => {
    add(head[0]);
    return writeHead(...head);
  };
  outgoing.writeHead = patched as typeof outgoing.writeHead;
}

function fill(outgoing: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!outgoing.hasHeader(name)) outgoing.setHeader(name, value);
}

/** Adds the headers of every API response, except those that Next has set. */
export function fillApiHeaders(outgoing: ServerResponse): void {
  beforeHead(outgoing, () => {
    const { "Content-Type": _, ...standard } = defaultApiHeaders();
    fill(outgoing, standard);
  });
}

/**
 * Adds the security headers to responses that lack them, such as Next's without its proxy. `from` is the lowest status
 * that gets them.
 */
export function fillPageHeaders(outgoing: ServerResponse, from = 100): void {
  beforeHead(outgoing, (status) => {
    if (status < from) return;
    fill(outgoing, securityHeaders());
    if (status >= 400) fill(outgoing, { "Content-Security-Policy": NO_CONTENT_POLICY });
  });
}
