import { z } from "zod";

const MAX_BYTES = 4 * 1024;
const MAX_DEPTH = 5;
const MAX_KEYS = 50;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

class Refused extends Error {}

/**
 * A free-form object of a referrer: at most 4 KiB as JSON, 5 levels deep, 50 keys in all. Copied key by key without
 * `__proto__`, so that input cannot reach the prototype of an object.
 */
export const metadataField = z
  .unknown()
  .transform((value, ctx): Record<string, Json> => {
    try {
      return checkMetadata(value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      ctx.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  })
  .meta({
    type: "object",
    additionalProperties: true,
    description:
      "Any data you want to store with a new referrer: at most 4 KiB as JSON, 5 levels deep, 50 keys. `name` or `display_name` is shown to referees. Ignored for an existing referrer. Leave it out rather than sending null.",
  });

function checkMetadata(value: unknown): Record<string, Json> {
  if (!isObject(value)) throw new Refused("metadata must be an object");
  const count = { keys: 0 };
  const copied = copyObject(value, 1, count);
  if (Buffer.byteLength(JSON.stringify(copied)) > MAX_BYTES) {
    throw new Refused("metadata must be at most 4096 bytes as JSON");
  }
  return copied;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function copyObject(value: Record<string, unknown>, depth: number, count: { keys: number }) {
  const copied: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === "__proto__") continue;
    count.keys += 1;
    if (count.keys > MAX_KEYS) throw new Refused(`metadata must have at most ${MAX_KEYS} keys`);
    checkText(key);
    copied[key] = copyValue(entry, depth + 1, count);
  }
  return copied;
}

function copyValue(value: unknown, depth: number, count: { keys: number }): Json {
  if (typeof value === "string") return checkText(value);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return checkNumber(value);
  if (depth > MAX_DEPTH) throw new Refused(`metadata must be at most ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return value.map((entry) => copyValue(entry, depth + 1, count));
  if (isObject(value)) return copyObject(value, depth, count);
  throw new Refused("metadata must be JSON");
}

/** `1e400` parses to Infinity, which JSON would write as null. */
function checkNumber(value: number): number {
  if (!Number.isFinite(value)) throw new Refused("metadata must not contain numbers out of range");
  return value;
}

/** jsonb refuses NUL and lone surrogates. */
function checkText(text: string): string {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new Refused("metadata must not contain NUL characters or malformed Unicode");
  }
  return text;
}
