import { and, eq, inArray, ne, or } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { batches, campaignPlatforms, codeRequests, pools, refillRules } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { getPool } from "./get";

/**
 * Deletes a pool that no campaign names and that never gave a code away. Its undone batches go with it. Throws
 * NOT_FOUND, CONFLICT.
 */
export async function deletePool(ctx: Context, poolId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const { orm } = db;
    const pool = and(eq(pools.appId, ctx.app.id), eq(pools.id, poolId));
    // Waits for an import that is just opening its batch.
    await orm.select({ id: pools.id }).from(pools).where(pool).for("update");
    const { name, platform, use } = await getPool({ ...ctx, db }, poolId);
    const rules = campaignPlatforms;
    const named = or(eq(rules.refereePoolId, poolId), eq(rules.rewardPoolId, poolId));
    const [user] = await orm
      .select({ id: rules.campaignId })
      .from(rules)
      .where(and(eq(rules.appId, ctx.app.id), named))
      .limit(1);
    if (user) fail("CONFLICT", "A campaign takes codes from this pool: give it another pool first");
    const own = and(eq(batches.appId, ctx.app.id), eq(batches.poolId, poolId));
    const kept = or(ne(batches.state, "undone"), ne(batches.size, 0));
    const [batch] = await orm.select({ id: batches.id }).from(batches).where(and(own, kept)).limit(1);
    if (batch)
      fail("CONFLICT", "The pool has codes: undo its batches first. One whose codes were given stays");
    await refuseAwaited({ ...ctx, db }, poolId);
    await orm
      .delete(refillRules)
      .where(and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId)));
    await orm.delete(batches).where(own);
    await orm.delete(pools).where(pool);
    await recordAudit(db, ctx, {
      action: "pool.deleted",
      subject: "pool",
      subjectId: poolId,
      subjectName: name,
      before: { name, platform, use },
    });
  });
}

/** Codes that the store was asked for would have nowhere to go. */
async function refuseAwaited(ctx: Context, poolId: string): Promise<void> {
  const own = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.poolId, poolId));
  const [awaited] = await ctx.db.orm
    .select({ id: codeRequests.id })
    .from(codeRequests)
    .where(and(own, inArray(codeRequests.state, ["asked", "made", "unclear"])))
    .limit(1);
  if (awaited)
    fail("CONFLICT", "Codes were asked for at the store for this pool: wait for them, or give them up");
}
