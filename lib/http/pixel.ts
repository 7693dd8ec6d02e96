/** One transparent point, the smallest picture that browsers take. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "X-Content-Type-Options": "nosniff",
};

/** A picture of nothing, never kept. */
export function emptyImage(): Response {
  return new Response(new Uint8Array(GIF), { headers: { ...HEADERS, "Content-Type": "image/gif" } });
}

/** An answer without content, never kept. */
export function nothing(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}
