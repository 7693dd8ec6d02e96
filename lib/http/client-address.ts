import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";

/** Set by our server on every request after deleting whatever came under this name from outside. */
export const CLIENT_ADDRESS_HEADER = "x-metacode-client";

/** The answer where no address can be believed: all such callers share one limit. */
const UNKNOWN_ADDRESS = "unknown";

/** The server in front writes this before the address; without such a server nobody knows it, so nobody is believed. */
export function addressToken(): string {
  return shared("http.address-token", () => `${randomBytes(16).toString("base64url")} `);
}

/** An entry of X-Forwarded-For without port and brackets, or nothing where it is no address. */
function bare(entry: string): string | undefined {
  const text = entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1");
  if (isIP(text)) return text.replace(/^::ffff:(?=\d+\.)/i, "");
  const host = text.replace(/:\d+$/, "");
  return isIP(host) === 4 ? host : undefined;
}

/**
 * The caller's address: `hops` entries to the left of the connection's own end, which our proxies appended
 * themselves. What stands further left was written by the caller and is never read.
 */
export function resolveAddress(
  socket: string | undefined,
  forwarded: string | undefined,
  hops: number,
): string {
  const own = bare(socket ?? "") ?? UNKNOWN_ADDRESS;
  if (hops === 0 || forwarded === undefined) return own;
  const chain = forwarded.split(",");
  return bare(chain[Math.max(0, chain.length - hops)] ?? "") ?? own;
}

/**
 * Address of the caller of a request, for limits. Behind our server: what it wrote. Under plain `next start` there is
 * no socket to ask, so only X-Forwarded-For counted back by TRUSTED_PROXIES, else {@link UNKNOWN_ADDRESS}.
 */
export function clientAddress(request: Pick<Request, "headers">): string {
  const written = request.headers.get(CLIENT_ADDRESS_HEADER);
  const token = addressToken();
  if (written?.startsWith(token)) return written.slice(token.length);
  return resolveAddress(
    undefined,
    request.headers.get("x-forwarded-for") ?? undefined,
    env().TRUSTED_PROXIES,
  );
}
