import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";
import { acceptsGzip } from "@/lib/web/http/preferences";
import { pageMethods } from "@/lib/web/http/responses";

/** A document that every site may read: the same for all callers and for as long as the process runs. */
interface PublicDocument {
  name: string;
  type: string;
  read(): string | Promise<string>;
}

/** Handlers of a route that serves one public document. */
export function documentRoute(document: PublicDocument) {
  const get = (request: Request): Promise<Response> => documentResponse(request, document);
  return { GET: get, HEAD: get, ...pageMethods("GET, HEAD, OPTIONS") };
}

/** 200 with the document, or 304 if the client already has it. */
export async function documentResponse(request: Request, document: PublicDocument): Promise<Response> {
  const { plain, gzipped, tag } = await packedOnce(document);
  const headers = new Headers({
    ETag: tag,
    "Cache-Control": "public, max-age=300",
    Vary: "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
  });
  if (matchesTag(request.headers.get("if-none-match"), tag))
    return new Response(null, { status: 304, headers });
  headers.set("Content-Type", document.type);
  const gzip = acceptsGzip(request);
  if (gzip) headers.set("Content-Encoding", "gzip");
  return new Response(request.method === "HEAD" ? null : gzip ? gzipped : plain, { headers });
}

/** Reads, compresses and tags a document once per process; a failed read is repeated by the next request. */
function packedOnce({ name, read }: PublicDocument) {
  const key = `http.document.${name}`;
  return singleton(key, async () => packed(await read())).catch((error: unknown) => {
    forgetSingleton(key);
    throw error;
  });
}

function packed(text: string) {
  const plain = new Uint8Array(Buffer.from(text));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, gzipped: new Uint8Array(gzipSync(plain)), tag: `"${hash}"` };
}

/** Whether `If-None-Match` names the tag. A proxy that compresses again marks it as weak; the content is the same. */
export function matchesTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((entry) => entry.trim().replace(/^W\//, ""));
  return tags.includes(tag) || ifNoneMatch === "*";
}
