import type { Context } from "@/lib/context";
import { sqlState } from "@/lib/db/outage";
import { fail } from "@/lib/errors";
import type { QuotaAnswer } from "@/lib/quota/lease";

interface Counted {
  quota?: QuotaAnswer | null;
}

/**
 * Calls a hot function with the request's quota as its last three arguments and settles what it took. Throws
 * RATE_LIMITED, and CONFLICT where a twin with the same idempotency key is still running.
 */
export async function callOnce<Result>(
  ctx: Context,
  name: string,
  values: readonly unknown[],
): Promise<Result> {
  try {
    const result = await ctx.db.call<Result & Counted>(name, [...values, ...ctx.meter.statement()]);
    ctx.meter.settle(result.quota ?? null);
    return result;
  } catch (error) {
    if (sqlState(error) !== "MC409") throw error;
    await ctx.meter.take();
    // The header tells this conflict from those that are final: it is the only one worth another try.
    const message = "A request with this Idempotency-Key is still running";
    return fail("CONFLICT", message, { cause: error, retryAfter: 1 });
  }
}
