import { createHash } from "node:crypto";
import { fail } from "@/lib/platform/errors";

/** An `Idempotency-Key` with the SHA-256 of its request. */
export interface Idempotency {
  key: string;
  hash: Buffer;
}

/** A key is 1 to 255 printable ASCII characters; the hash is of the verb's input. Throws VALIDATION_ERROR. */
export function idempotencyOf(key: string | null, input: unknown): Idempotency | undefined {
  if (key === null) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    fail("VALIDATION_ERROR", "Idempotency-Key must be 1 to 255 printable ASCII characters", {
      field: "Idempotency-Key",
    });
  }
  return { key, hash: createHash("sha256").update(JSON.stringify(input)).digest() };
}
