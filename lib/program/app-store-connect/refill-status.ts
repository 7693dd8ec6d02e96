import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { RefillStop } from "@/lib/contract/code-request";
import { appStoreKeys, refillRules } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

const rulesOf = (ctx: Context) => eq(refillRules.appId, ctx.app.id);

/** Stops a pool's running refill unless it was started after the millisecond `after`. Problem detection alerts about it. */
export async function stopRefill(
  ctx: Context,
  poolId: string,
  stopped: RefillStop,
  because: string,
  after?: Date,
): Promise<void> {
  const isCurrent = after && lt(refillRules.armedAt, new Date(after.getTime() + 1));
  await ctx.db.orm
    .update(refillRules)
    .set({ stopped, stoppedBecause: because, stoppedAt: sql`now()` })
    .where(and(rulesOf(ctx), eq(refillRules.poolId, poolId), isNull(refillRules.stopped), isCurrent));
}

/** Stops every refill of an app that lost its key, or whose key Apple rejects. */
export async function stopRefillsForKey(ctx: Context, because: string): Promise<void> {
  const rules = await ctx.db.orm
    .select({ poolId: refillRules.poolId })
    .from(refillRules)
    .where(and(rulesOf(ctx), eq(refillRules.enabled, true), isNull(refillRules.stopped)));
  for (const { poolId } of rules) await stopRefill(ctx, poolId, "key", because);
}

const RUNNING = { stopped: null, stoppedBecause: null, stoppedAt: null };

/** Resumes the refills that {@link stopRefillsForKey} stopped. */
export async function resumeRefillsForKey(ctx: Context): Promise<void> {
  await ctx.db.orm
    .update(refillRules)
    .set(RUNNING)
    .where(and(rulesOf(ctx), eq(refillRules.stopped, "key")));
}

/** Resumes one refill. A request that was refused earlier does not stop it again. */
export async function resumeRefill(ctx: Context, poolId: string): Promise<void> {
  await ctx.db.orm
    .update(refillRules)
    .set({ ...RUNNING, armedAt: sql`now()` })
    .where(and(rulesOf(ctx), eq(refillRules.poolId, poolId)));
}

/** Stores whether Apple accepts the key (`trouble` is null) or the reason why not, and stops or resumes the refills. */
export async function updateKeyStatus(ctx: Context, trouble: string | null): Promise<void> {
  const own = eq(appStoreKeys.appId, ctx.app.id);
  if (trouble !== null) {
    await ctx.db.orm.update(appStoreKeys).set({ trouble }).where(own);
    return stopRefillsForKey(ctx, trouble);
  }
  // Without a key the refills stay stopped. A check that missed a new key may have stopped them, so they resume here.
  const { rowCount } = await ctx.db.orm.update(appStoreKeys).set({ trouble: null }).where(own);
  if (rowCount) await resumeRefillsForKey(ctx);
}
