const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(\d(?:\.\d+)?)\s*)?(?:,|$)/i;

/** Whether a client takes gzip. Without the header it might, but nobody who wants it leaves the header out. */
export function acceptsGzip(headers: Headers): boolean {
  const found = GZIP.exec(headers.get("accept-encoding") ?? "");
  return found !== null && Number(found[1] ?? 1) > 0;
}
