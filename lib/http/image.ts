const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Bytes of an image; by default under an address that names their hash, so they never change. They can be nothing but
 * an image, and other sites may show it: chat apps in a browser do.
 */
export function imageResponse(
  { type, bytes }: { type: string; bytes: Buffer },
  cacheControl = FOR_EVER,
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
