import { createHash } from "node:crypto";
import { fail } from "@/lib/errors";

/** An `Idempotency-Key` with the SHA-256 of the request it stands for. */
export interface Idempotency {
  key: string;
  hash: Buffer;
}

/** A key is 1 to 255 printable ASCII characters; the hash is of what the verb is asked to do. */
export function idempotencyOf(key: string | null, input: unknown): Idempotency | undefined {
  if (key === null) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    fail("VALIDATION_ERROR", "Idempotency-Key must be 1 to 255 printable ASCII characters", {
      field: "Idempotency-Key",
    });
  }
  return { key, hash: createHash("sha256").update(JSON.stringify(input)).digest() };
}
