const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(\d(?:\.\d+)?)\s*)?(?:,|$)/i;

/**
 * Whether to answer in gzip. Not without the header: nobody who wants it leaves that out. Not below the framework either,
 * whose requests have an address of its own kind: it drops `Content-Encoding` from an answer and packs it once more.
 */
export function acceptsGzip(request: Request): boolean {
  if ("nextUrl" in request) return false;
  const found = GZIP.exec(request.headers.get("accept-encoding") ?? "");
  return found !== null && Number(found[1] ?? 1) > 0;
}
