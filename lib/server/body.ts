import type { IncomingMessage } from "node:http";
import { MAX_DELIVERY_BYTES } from "@/lib/http/provider-endpoint";
import { collectYoung } from "@/lib/server/collect";

/** The largest that any route takes (`MAX_DELIVERY_BYTES`); one byte more shows a route that it is too long. */
export const MAX_BODY = MAX_DELIVERY_BYTES + 1;

/** Thrown away, so that a client that writes before it reads sees the 413 and not a reset connection. */
const MAX_DISCARDED = 96 * 1024 * 1024;
/** So much thrown away is collected at once. */
const GARBAGE = 4 * 1024 * 1024;

/** A body must have arrived whole after this many milliseconds. */
const BODY_TIMEOUT = 15_000;

export type Body = Buffer | "timeout" | "gone";

const EMPTY = Buffer.alloc(0);

/**
 * Reads a request body up to `limit` bytes and throws the rest away as it arrives, so memory stays bounded. A result
 * of exactly `limit` bytes means: too long. Resolves "gone" when the client went away first.
 */
export function readBody(incoming: IncomingMessage, limit = MAX_BODY): Promise<Body> | Buffer {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return EMPTY;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => resolve("timeout"), BODY_TIMEOUT);
    const finish = (body: Body) => {
      clearTimeout(timer);
      resolve(body);
    };
    const whole = () => (chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks));
    incoming.on("data", (chunk: Buffer) => {
      const room = Math.max(0, limit - size);
      size += chunk.length;
      if (size > MAX_DISCARDED) incoming.destroy();
      if (Math.floor(size / GARBAGE) > Math.floor((size - chunk.length) / GARBAGE)) collectYoung();
      if (room === 0) return;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      if (size >= limit) finish(whole());
    });
    incoming.on("end", () => finish(whole()));
    incoming.on("close", () => finish("gone"));
    incoming.on("error", () => finish("gone"));
  });
}
