import { fail } from "@/lib/platform/errors";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses bytes as JSON text in UTF-8. Throws VALIDATION_ERROR. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    return fail("VALIDATION_ERROR", "The request body must be valid JSON in UTF-8", { cause });
  }
}

/** Parses bytes as one JSON object in UTF-8. Throws VALIDATION_ERROR, also for an array or null. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJson(bytes);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return fail("VALIDATION_ERROR", "The request body must be a JSON object");
}
