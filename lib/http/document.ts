import { createHash } from "node:crypto";

/** A document that anyone may read from anywhere, as it is kept: its bytes and the tag that names them. */
export interface PublicDocument {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  tag: string;
  /** Headers of its own. */
  headers?: Record<string, string>;
}

/** Bytes with the tag by which a reader asks whether they changed. */
export function publicDocument(
  type: string,
  content: string | Uint8Array,
  headers: Record<string, string> = {},
): PublicDocument {
  const bytes = new Uint8Array(Buffer.from(content));
  const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { type, bytes, tag, headers };
}

/** 200 with the document, or 304 where the reader has it. It holds no secret, so any site may read it. */
export function documentResponse(request: Request, document: PublicDocument): Response {
  const headers = {
    ETag: document.tag,
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    ...document.headers,
  };
  if (isKnown(request.headers.get("if-none-match"), document.tag)) {
    return new Response(null, { status: 304, headers });
  }
  const body = request.method === "HEAD" ? null : document.bytes;
  return new Response(body, { headers: { ...headers, "Content-Type": document.type } });
}

/** A proxy that compresses marks the tag as weak; the content is the same. */
function isKnown(asked: string | null, tag: string): boolean {
  const tags = (asked ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(tag) || asked === "*";
}
