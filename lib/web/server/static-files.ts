import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { matchesTag } from "@/lib/web/http/document";
import { chooseEncoding } from "@/lib/web/http/preferences";
import type { Site } from "@/lib/web/server/listener";
import { pageRefusal, type ServerRefusal, sendRefusal } from "@/lib/web/server/refusal";

/** The types of our files; all others are sent as plain bytes. */
const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const COMPRESSIBLE = new Set([".css", ".js", ".json", ".svg", ".txt", ".ico"]);

interface PackedFile {
  plain: Buffer;
  packed: Awaited<ReturnType<typeof compress>> | undefined;
  tag: string;
  type: string;
}

/** Below this path are files of the build, named by their contents. */
const BUILD = "/_next/static/";

/** Brotli within two percent of its best, in a third of the time: a visitor waits for it once per process. */
async function compress(plain: Buffer) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  return { br: await promisify(brotliCompress)(plain, quality), gzip: await promisify(gzip)(plain) };
}

/**
 * Answers requests for files of the build and of `public` from memory: forwarding one would take longer than sending it.
 * Files are listed once, so no request can name another one; each is read and compressed at its first request.
 * `deployment` is the id of this build.
 */
export function staticFiles(deployment = "", root = process.cwd()): NonNullable<Site["files"]> {
  const files = new Map([...listed(join(root, "public"), "/"), ...listed(join(root, ".next/static"), BUILD)]);
  const packed = new Map<string, Promise<PackedFile>>();
  const packedOnce = (file: string) => {
    const known = packed.get(file) ?? pack(file);
    packed.set(file, known);
    known.catch(() => packed.delete(file));
    return known;
  };
  return (incoming, outgoing, path) => {
    const name = decodeURIComponent(path);
    const file = files.get(name);
    if (!file && !name.startsWith(BUILD)) return false;
    incoming.resume();
    const read = incoming.method === "GET" || incoming.method === "HEAD";
    if (!file) sendRefusal(outgoing, refuseFile(incoming.url ?? "", deployment));
    else if (!read) sendRefusal(outgoing, pageRefusal(405, { Allow: "GET, HEAD" }));
    else
      packedOnce(file).then(
        (found) => send(found, incoming, outgoing, name.startsWith(BUILD)),
        () => sendRefusal(outgoing, pageRefusal(404)),
      );
    return true;
  };
}

/** Maximum redirects of a browser that looks for a file of another build. */
const MOST_ATTEMPTS = 12;

/**
 * 404, or a redirect to the same file while instances of two builds run side by side: the next attempt meets the
 * one that has it. Next writes the id of its build into the addresses of its files.
 */
function refuseFile(url: string, deployment: string): ServerRefusal {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const build = searchParams.get("dpl") ?? deployment;
  const attempts = Number(searchParams.get("attempt") ?? 0);
  if (build === deployment || !(attempts < MOST_ATTEMPTS)) return pageRefusal(404);
  const query = new URLSearchParams({ dpl: build, attempt: String(attempts + 1) });
  return pageRefusal(307, { Location: `${pathname}?${query}` });
}

function send(
  { plain, packed, tag, type }: PackedFile,
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  unchanging: boolean,
): void {
  const age = unchanging ? "max-age=31536000, immutable" : "max-age=0";
  const caching = { "Cache-Control": `public, ${age}`, ETag: tag, Vary: "Accept-Encoding" };
  if (matchesTag(headers["if-none-match"], tag)) return void outgoing.writeHead(304, caching).end();
  const encoding = packed && chooseEncoding(headers["accept-encoding"]);
  const body = encoding ? packed[encoding] : plain;
  outgoing.writeHead(200, {
    ...caching,
    "Content-Type": type,
    "Content-Length": body.length,
    ...(encoding && { "Content-Encoding": encoding }),
  });
  outgoing.end(method === "HEAD" ? undefined : body);
}

/** The files of a folder: the path under which each is served, and its own. */
function listed(folder: string, prefix: string): [string, string][] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [prefix + file.slice(folder.length + 1).replaceAll("\\", "/"), file]);
  } catch {
    return [];
  }
}

async function pack(file: string): Promise<PackedFile> {
  const plain = await readFile(file);
  const ending = extname(file);
  const type = TYPES[ending] ?? "application/octet-stream";
  const packed = COMPRESSIBLE.has(ending) ? await compress(plain) : undefined;
  const hash = createHash("sha256").update(plain).digest("base64url");
  return { plain, packed, tag: `"${hash.slice(0, 22)}"`, type };
}
