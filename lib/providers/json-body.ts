import { fail } from "@/lib/errors";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a body. Throws VALIDATION_ERROR where it is not UTF-8, not JSON, or no object. */
export function jsonObject(rawBody: Uint8Array): Record<string, unknown> {
  const body = parse(rawBody);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return fail("VALIDATION_ERROR", "The body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

function parse(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(rawBody));
  } catch (cause) {
    return fail("VALIDATION_ERROR", "The body must be JSON in UTF-8", { cause });
  }
}
