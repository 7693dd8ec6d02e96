import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { Browser } from "@/lib/contract/session";
import { env } from "@/lib/platform/env";
import { unmapped } from "@/lib/platform/limits/address";
import { singleton } from "@/lib/platform/singleton";

/** Set by our server on every request, after it deleted a header of this name that the client sent. */
export const CLIENT_ADDRESS_HEADER = "x-metacode-client";

/** Stands for every address that cannot be trusted; these callers share one limit. */
const UNKNOWN_ADDRESS = "unknown";

/**
 * Our server writes this secret before the address, so a client cannot forge the header. It derives from the secret that
 * all processes of a service share, because one process forwards requests to another.
 */
export function addressToken(): string {
  return singleton("http.address-token", () => {
    const { AUTH_SECRET: secret } = env();
    const token = secret ? createHmac("sha256", secret).update("client address").digest() : randomBytes(32);
    return `${token.toString("base64url")} `;
  });
}

/** The address and the browser of a request, for the list of sessions. */
export function browserOf(request: Pick<Request, "headers">): Browser {
  return { address: clientAddress(request), userAgent: request.headers.get("user-agent") ?? "" };
}

/** An entry of X-Forwarded-For without port and brackets; undefined if it is not an address. */
function bare(entry: string): string | undefined {
  const text = entry.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1");
  if (isIP(text)) return unmapped(text);
  const host = text.replace(/:\d+$/, "");
  return isIP(host) === 4 ? host : undefined;
}

/**
 * The caller's address: `hops` entries to the left of the connection's remote end, because our proxies appended
 * these. Entries further left were written by the caller and are never read.
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

/** The address in a header that a process of this service wrote. */
export function writtenAddress(header: string | string[] | undefined): string {
  return String(header ?? "").split(" ", 2)[1] ?? UNKNOWN_ADDRESS;
}

/**
 * The caller's address, for limits. Behind our server it is the one that the server wrote. Plain `next start` gives no
 * access to the socket, so there it is X-Forwarded-For counted back by TRUSTED_PROXIES, or {@link UNKNOWN_ADDRESS}.
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
