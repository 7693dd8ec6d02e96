import type { IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Maximum bytes that are read and dropped, so that a client that writes before it reads sees the 413 instead of a
 * reset.
 */
const MAX_DISCARDED = 96 * 1024 * 1024;

/** Milliseconds within which a body must arrive. */
const BODY_TIMEOUT = 15_000;

type ReadBody = Buffer | "timeout" | "gone";

const EMPTY = Buffer.alloc(0);

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}

/**
 * Reads a request body of up to `limit` bytes and drops the rest as it arrives, so memory stays bounded. A result of
 * exactly `limit` bytes means that the body is too long. Resolves "gone" when the client disconnects first.
 */
export function readBody(incoming: IncomingMessage, limit: number): Promise<ReadBody> | Buffer {
  if (!hasBody(incoming)) return EMPTY;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => resolve("timeout"), BODY_TIMEOUT);
    const finish = (body: ReadBody) => {
      clearTimeout(timer);
      resolve(body);
    };
    const whole = () => (chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks));
    incoming.on("data", (chunk: Buffer) => {
      const wanted = Math.max(0, limit - size);
      size += chunk.length;
      if (size > MAX_DISCARDED) incoming.destroy();
      noteGarbage(chunk.length);
      if (wanted === 0) return;
      chunks.push(chunk.length > wanted ? chunk.subarray(0, wanted) : chunk);
      if (size >= limit) finish(whole());
    });
    incoming.on("end", () => finish(whole()));
    incoming.on("close", () => finish("gone"));
    incoming.on("error", () => finish("gone"));
  });
}

/** Bytes of bodies between two collections of garbage. */
const GARBAGE = 4 * 1024 * 1024;

let garbage = 0;

/**
 * Counts the bytes of bodies that pass through the process, and collects young garbage after every few megabytes (0.5 ms
 * measured). Bodies lie outside V8's heap, so V8 would let some 30 MB pile up and then mark the whole heap, which holds up
 * every call.
 */
export function noteGarbage(bytes: number): void {
  garbage += bytes;
  if (garbage < GARBAGE) return;
  garbage = 0;
  collectYoung();
}

type Collect = (options: { type: "minor" }) => void;

let collect: Collect | undefined;

function collectYoung(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "minor" });
}
