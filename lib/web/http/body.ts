import { AppError, fail } from "@/lib/platform/errors";
import { parseJsonObject } from "@/lib/platform/json";

/** The contract's limit for request bodies. */
export const MAX_JSON_BYTES = 16 * 1024;

/** `application/json`, also with parameters, and `application/*+json`. */
const JSON_TYPE = /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i;

/**
 * Reads a body of up to `max` bytes, counted as they arrive. Throws PAYLOAD_TOO_LARGE for more,
 * UNSUPPORTED_MEDIA_TYPE for any `Content-Encoding`, and VALIDATION_ERROR when the connection breaks.
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  if (request.headers.has("content-encoding")) fail("UNSUPPORTED_MEDIA_TYPE");
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > max) tooLarge(max);
  try {
    // The HTTP parser enforces a declared length, so the fast path is bounded, too.
    if (declared !== null) return new Uint8Array(await request.arrayBuffer());
    return await readCounted(request, max);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    return fail("VALIDATION_ERROR", "The request body could not be read completely", { cause });
  }
}

async function readCounted(request: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > max) tooLarge(max);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(max: number): never {
  return fail("PAYLOAD_TOO_LARGE", `The request body must be at most ${max} bytes`);
}

/** Reads a request's JSON object. A missing `Content-Type` passes, any other type than JSON is 415. */
export async function readJsonObject(request: Request): Promise<object> {
  const type = request.headers.get("content-type");
  if (type !== null && type !== "" && !JSON_TYPE.test(type)) fail("UNSUPPORTED_MEDIA_TYPE");
  return parseJsonObject(await readBytes(request, MAX_JSON_BYTES));
}
