import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { acceptsGzip } from "@/lib/http/accepts-gzip";
import { forget, shared } from "@/lib/shared";

/** A document that anyone may read from anywhere: the same for all, and as long as the process runs. */
export interface PublicDocument {
  name: string;
  type: string;
  read(): string | Promise<string>;
}

interface Kept {
  plain: Uint8Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer>;
  tag: string;
}

function keep(text: string): Kept {
  const plain = new Uint8Array(Buffer.from(text));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, packed: new Uint8Array(gzipSync(plain)), tag: `"${hash}"` };
}

/** Read, packed and tagged once; what could not be read is tried again with the next request. */
function kept({ name, read }: PublicDocument): Promise<Kept> {
  const place = `http.document.${name}`;
  return shared(place, async () => keep(await read())).catch((error: unknown) => {
    forget(place);
    throw error;
  });
}

/** 200 with the document, or 304 where the reader has it. It holds no secret, so every site may read it. */
export async function documentResponse(request: Request, document: PublicDocument): Promise<Response> {
  const { plain, packed, tag } = await kept(document);
  const headers = new Headers({
    ETag: tag,
    "Cache-Control": "public, max-age=300",
    Vary: "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
  });
  if (isKnown(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  headers.set("Content-Type", document.type);
  const fits = acceptsGzip(request);
  if (fits) headers.set("Content-Encoding", "gzip");
  return new Response(request.method === "HEAD" ? null : fits ? packed : plain, { headers });
}

/** A proxy that packs anew marks the tag as weak; the content is the same. */
function isKnown(asked: string | null, tag: string): boolean {
  const tags = (asked ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(tag) || asked === "*";
}
