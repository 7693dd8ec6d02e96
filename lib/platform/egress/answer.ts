import type { IncomingHttpHeaders } from "node:http";

/** Bytes of a response that are read if the caller names no other limit; the rest is not awaited. */
export const MAX_ANSWER = 16_384;

/** Headers that identify the receiver or say what it demands. Cookies and the like are not stored. */
const READ_HEADERS = [
  "content-type",
  "content-length",
  "date",
  "location",
  "retry-after",
  "server",
  "via",
  "x-request-id",
  "www-authenticate",
];

const MAX_HEADER = 500;

/** Without NUL, which PostgreSQL cannot store. */
const storable = (text: string) => text.replaceAll("\0", "\ufffd");

/** The headers that are stored. */
export function storedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (typeof value === "string") read[name] = storable(value).slice(0, MAX_HEADER);
  }
  return read;
}

/** The beginning of a body. */
export function storedBody(parts: Buffer[], most: number): string {
  return storable(Buffer.concat(parts).subarray(0, most).toString("utf8"));
}
