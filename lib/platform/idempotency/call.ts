import { createHash } from "node:crypto";
import type { Context, QuotaAnswer, QuotaArguments } from "@/lib/platform/context";
import type { SqlFunction } from "@/lib/platform/db/calls";
import { sqlState } from "@/lib/platform/db/outage";
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

/** The last parameters of a function that counts its request. */
export const QUOTA_PARAMETERS = { workspace: "uuid?", quota_limit: "bigint", quota_units: "int" } as const;

interface Counted {
  quota?: QuotaAnswer | null;
}

/**
 * Calls a hot function with the request's quota as its last three arguments and settles the result. Throws
 * RATE_LIMITED, and CONFLICT while a twin with the same idempotency key is running.
 */
export async function callOnce<Arguments extends object, Result extends object>(
  ctx: Context,
  fn: SqlFunction<Arguments & QuotaArguments, Result & Counted>,
  args: Arguments,
): Promise<Result> {
  try {
    const result = await ctx.db.call(fn, { ...args, ...ctx.meter.statement() });
    ctx.meter.settle(result.quota ?? null);
    return result;
  } catch (error) {
    if (sqlState(error) !== "MC409") throw error;
    await ctx.meter.take();
    // Retry-After distinguishes this conflict from final ones: only this one is worth a retry.
    const message = "A request with this Idempotency-Key is still running";
    return fail("CONFLICT", message, { cause: error, retryAfter: 1 });
  }
}
