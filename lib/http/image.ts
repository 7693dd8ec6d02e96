/** Bytes of an image under an address that names their hash, so they never change. They can be nothing but an image. */
export function imageResponse({ type, bytes }: { type: string; bytes: Buffer }): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": type,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
