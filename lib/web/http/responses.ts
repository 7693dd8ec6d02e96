import { randomBytes } from "node:crypto";

/** A plain sentence, where neither a page nor the API's envelope is expected. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

/**
 * A page of ours: never stored, never listed by search engines, never framed by another site. `policy` is its
 * Content-Security-Policy; links on the page do not tell other sites its address.
 */
export function htmlResponse(
  status: number,
  html: string | Buffer<ArrayBuffer>,
  policy: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": policy,
      "X-Robots-Tag": "noindex",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      ...headers,
    },
  });
}

/** A nonce for the scripts and styles of one response. */
export const createNonce = (): string => randomBytes(16).toString("base64");

/** JSON that every client of one host may cache for `seconds`, such as the association files of apps. */
export function hostJsonResponse(json: string, seconds: number): Response {
  return new Response(json, {
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": `public, max-age=${seconds}`,
      Vary: "Host",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** The response to HEAD: status and headers of the GET. */
export function withoutBody(response: Response): Response {
  return new Response(null, { status: response.status, headers: response.headers });
}

/** Handlers for the methods that a page does not support: 405, and 204 for OPTIONS, both with `Allow`. */
export function pageMethods(allow: string) {
  const refuse = () => textResponse(405, "Method Not Allowed", { Allow: allow });
  const describe = () => new Response(null, { status: 204, headers: { Allow: allow } });
  return { OPTIONS: describe, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse };
}

const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * An image; by default at an address that contains its hash, so it never changes. The policy restricts it to being
 * an image. Other sites may show it, because chat apps in a browser do.
 */
export function imageResponse(
  { type, bytes }: { type: string; bytes: Buffer },
  cacheControl = IMMUTABLE,
): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": type,
      "Content-Length": String(bytes.length),
      "Cache-Control": cacheControl,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** One transparent pixel, the smallest image that browsers accept. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

const UNCACHED = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "X-Content-Type-Options": "nosniff",
};

/** A transparent pixel, never cached. */
export function pixelResponse(): Response {
  return new Response(new Uint8Array(PIXEL), { headers: { ...UNCACHED, "Content-Type": "image/gif" } });
}

/** 204, never cached. */
export function emptyResponse(): Response {
  return new Response(null, { status: 204, headers: UNCACHED });
}
