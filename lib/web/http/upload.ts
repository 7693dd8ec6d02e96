import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";

/** A million rows of code and link, the widest layout of a store, are 109 MB. */
export const MAX_UPLOAD_BYTES = 128 * 1024 * 1024;

/** The only paths that accept a file; bodies for all other pages are as small as a form. */
export const UPLOAD_PATH = /^\/dashboard\/apps\/[^/]+\/codes\/import\/(?:check|store|refused)$/;

/** Milliseconds within which a chunk must arrive, and the bytes that a file must bring for each further millisecond. */
const [SILENCE, PACE] = [15_000, 4];

const INTERRUPTED = "The upload was interrupted before its end";

/** A file being uploaded, read in chunks and never held in memory as a whole. */
export interface UploadBody {
  source: AsyncIterable<Uint8Array>;
  /** Bytes read so far. */
  received(): number;
  /** Reads and drops the rest, because a client that is still writing would get a reset instead of the response. */
  discard(): Promise<void>;
}

/** A request's body as a stream. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE; `source` also VALIDATION_ERROR. */
export function openUpload(request: Request, max = MAX_UPLOAD_BYTES): UploadBody {
  if (request.headers.has("content-encoding")) fail("UNSUPPORTED_MEDIA_TYPE", "Send the file uncompressed");
  if (Number(request.headers.get("content-length") ?? 0) > max) tooLarge(max);
  const reader = request.body?.getReader();
  let [size, waited, late] = [0, 0, false];
  const giveUp = () => {
    late = true;
    void reader?.cancel().catch(() => undefined);
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    while (true) {
      const started = performance.now();
      const timer = setTimeout(giveUp, Math.min(SILENCE, SILENCE + size / PACE - waited));
      const next = await reader?.read().catch((cause) => fail("VALIDATION_ERROR", INTERRUPTED, { cause }));
      clearTimeout(timer);
      if (late) fail("VALIDATION_ERROR", "The upload is too slow. Try again on another connection");
      waited += performance.now() - started;
      if (!next || next.done) return;
      size += next.value.length;
      if (size > max) tooLarge(max);
      yield next.value;
    }
  }
  const discard = async () => {
    try {
      for await (const _ of read());
    } catch {
      // The body is too long or too slow, or the client is gone: the connection may break.
      await reader?.cancel().catch(() => undefined);
    }
  };
  return { source: read(), received: () => size, discard };
}

function tooLarge(max: number): never {
  return fail("PAYLOAD_TOO_LARGE", `The file must be at most ${Math.floor(max / 1_048_576)} MB`);
}

/** Maximum concurrent files of one user; a web process reads eight at a time for all users together. */
const MOST_OF_USER = 2;

/** Counts a file of a user until the returned function is called. Throws RATE_LIMITED for one too many. */
export function takeFilePlace(userId: string): () => void {
  const reading = singleton("uploads.reading", () => new Map<string, number>());
  const others = reading.get(userId) ?? 0;
  if (others >= MOST_OF_USER)
    fail("RATE_LIMITED", "Two of your files are still uploading. Try again when one has finished", {
      retryAfter: 5,
    });
  reading.set(userId, others + 1);
  return () => {
    const left = (reading.get(userId) ?? 1) - 1;
    if (left > 0) reading.set(userId, left);
    else reading.delete(userId);
  };
}
