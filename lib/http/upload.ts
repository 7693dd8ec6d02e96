import { fail } from "@/lib/errors";

/** A million rows of code and link, the widest layout of a store, are 109 MB. */
export const MAX_UPLOAD_BYTES = 128 * 1024 * 1024;

/** The only addresses that take a file; every other body of a page is as small as a form. */
export const UPLOAD_PATH = /^\/dashboard\/apps\/[^/]+\/codes\/import\/(?:check|store|refused)$/;

/** A file on its way in, read piece by piece and never held whole. */
export interface UploadBody {
  source: AsyncIterable<Uint8Array>;
  /** Bytes read so far. */
  received(): number;
  /** Reads what is left and throws it away: a client that still writes would see a reset and not the answer. */
  discard(): Promise<void>;
}

/** The body of a request as a stream. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE; the source also VALIDATION_ERROR. */
export function openUpload(request: Request, max = MAX_UPLOAD_BYTES): UploadBody {
  if (request.headers.has("content-encoding")) fail("UNSUPPORTED_MEDIA_TYPE", "Send the file uncompressed");
  if (Number(request.headers.get("content-length") ?? 0) > max) tooLarge(max);
  const reader = request.body?.getReader();
  let size = 0;
  async function* read(): AsyncGenerator<Uint8Array> {
    while (true) {
      const next = await reader?.read().catch(brokenOff);
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
      // Too long or gone: then the connection may break.
      await reader?.cancel().catch(() => undefined);
    }
  };
  return { source: read(), received: () => size, discard };
}

function brokenOff(cause: unknown): never {
  return fail("VALIDATION_ERROR", "The upload broke off before its end", { cause });
}

function tooLarge(max: number): never {
  return fail("PAYLOAD_TOO_LARGE", `The file must be at most ${Math.floor(max / 1_048_576)} MB`);
}
