import type { IncomingMessage } from "node:http";

/** Bytes of a response that are read if the caller names no other limit; the rest is not awaited. */
export const MAX_ANSWER = 16_384;

/** Headers that identify the receiver and its demands. Cookies and the like are not stored. */
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

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (typeof value === "string") read[name] = storable(value).slice(0, MAX_HEADER);
  }
  return read;
}

/** Up to `most` bytes. A response that breaks off after its head still counts by its status. */
function readBody(message: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    // By events: an iterator costs a tenth of the whole request.
    const done = () => resolve(storable(Buffer.concat(parts).subarray(0, most).toString("utf8")));
    message.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > most) message.destroy();
    });
    // The status decides; the body received so far is shown.
    message.on("error", done).on("end", done).on("close", done);
  });
}

/** A response: its status, the listed headers, the beginning of its body. */
export async function readAnswer(message: IncomingMessage, most = MAX_ANSWER) {
  const body = await readBody(message, most);
  return { status: message.statusCode ?? 0, headers: readHeaders(message), body };
}
