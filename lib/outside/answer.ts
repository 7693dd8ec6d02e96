import type { IncomingMessage } from "node:http";

/** Bytes of an answer that are read and kept; what comes after them is not waited for. */
export const MAX_ANSWER = 16_384;

/** Headers that tell what answered and what it wants. Cookies and the like are nobody's business. */
const KEPT = [
  ...["content-type", "content-length", "date", "location", "retry-after", "server", "via"],
  ...["x-request-id", "www-authenticate"],
];

const MAX_HEADER = 500;

/** PostgreSQL keeps no NUL in a text. */
const asText = (bytes: Buffer) => bytes.toString("utf8").replaceAll("\0", "\ufffd");

function keptHeaders(message: IncomingMessage): Record<string, string> {
  const pairs = KEPT.flatMap((name) => {
    const value = message.headers[name];
    return typeof value === "string" ? [[name, asText(Buffer.from(value)).slice(0, MAX_HEADER)]] : [];
  });
  return Object.fromEntries(pairs);
}

/** Up to {@link MAX_ANSWER} bytes. An answer that breaks off later than its head is still the answer it began to be. */
async function readBody(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of message) {
      parts.push(part);
      size += part.length;
      if (size > MAX_ANSWER) break;
    }
  } catch {
    // The status decides; what was read until then is shown.
  }
  return asText(Buffer.concat(parts).subarray(0, MAX_ANSWER));
}

/** An answer as it is kept: status, the headers of the list, the beginning of the body. */
export async function readAnswer(message: IncomingMessage) {
  const body = await readBody(message);
  return { status: message.statusCode ?? 0, headers: keptHeaders(message), body };
}
