import { createHash } from "node:crypto";

/** A text for everybody, kept for five minutes by whoever fetched it and then asked for by its hash. */
export function publicText(request: Request, type: string, text: string): Response {
  const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "public, max-age=300",
    ETag: tag,
    "X-Content-Type-Options": "nosniff",
  };
  if (request.headers.get("if-none-match")?.includes(tag))
    return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}
