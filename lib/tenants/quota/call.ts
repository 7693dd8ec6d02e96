import type { SqlFunction } from "@/lib/platform/db/calls";
import { sqlState } from "@/lib/platform/db/outage";
import { fail } from "@/lib/platform/errors";
import type { Context, QuotaAnswer, QuotaArguments } from "@/lib/tenants/context";

/** The parameters of a function that counts its request. */
export const QUOTA_PARAMETERS = { workspace: "uuid?", quota_limit: "bigint", quota_units: "int" } as const;

interface Counted {
  quota?: QuotaAnswer | null;
}

/**
 * Calls a hot function with the request's quota among its arguments and settles the result. Throws
 * RATE_LIMITED, and CONFLICT while a duplicate request is running.
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
