import { and, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import { OPEN_STATES } from "@/lib/contract/code-request";
import type { Platform } from "@/lib/contract/fields";
import { formatNumber, STORE_NAME } from "@/lib/contract/format";
import { keysOf, pick } from "@/lib/contract/pick";
import { POOL_SETTINGS, type PoolInput, poolInput, poolUpdate } from "@/lib/contract/pool";
import {
  apps,
  batches,
  campaignPlatforms,
  campaigns,
  codeRequests,
  pools,
  refillRules,
} from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { setAside } from "@/lib/program/line/line";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { getPool, ownPool, poolSubject } from "./get";

/** Maximum pools of an app. */
const MAX_POOLS = 1_000;

/** Creates an empty pool. Throws VALIDATION_ERROR, and CONFLICT above {@link MAX_POOLS}. */
export async function createPool(ctx: Context, input: PoolInput): Promise<{ id: string }> {
  const values = parseInput(poolInput, input);
  const id = uuidv7();
  await ctx.db.transaction(async (db) => {
    if ((await db.orm.$count(pools, eq(pools.appId, ctx.app.id))) >= MAX_POOLS)
      fail("CONFLICT", `An app can have at most ${formatNumber(MAX_POOLS)} pools`);
    await db.orm.insert(pools).values({ ...values, appId: ctx.app.id, id });
    await recordAudit(db, ctx, {
      action: "pool.created",
      ...poolSubject({ ...values, id }),
      after: values,
    });
  });
  return { id };
}

/**
 * The app's oldest pool of a store and use, created if there is none. The lock on the app's row makes two
 * callers agree on one pool.
 */
export function ensurePool(ctx: Context, platform: Platform, use: PoolInput["use"]): Promise<{ id: string }> {
  return ctx.db.transaction(async (db) => {
    await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, ctx.app.id)).for("no key update");
    const [pool] = await db.orm
      .select({ id: pools.id })
      .from(pools)
      .where(and(eq(pools.appId, ctx.app.id), eq(pools.platform, platform), eq(pools.use, use)))
      .orderBy(asc(pools.id))
      .limit(1);
    const name = `${STORE_NAME[platform]} codes for ${use === "referee" ? "friends" : "rewards"}`;
    return pool ?? createPool({ ...ctx, db }, { platform, use, name });
  });
}

/** Updates a pool's settings; afterwards codes may fit those in line. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export async function updatePool(ctx: Context, input: z.input<typeof poolUpdate>): Promise<void> {
  const { poolId, ...settings } = parseInput(poolUpdate, input);
  await ctx.db.transaction(async (db) => {
    await db.orm.select({ id: pools.id }).from(pools).where(ownPool(ctx, poolId)).for("no key update");
    const before = pick(await getPool({ ...ctx, db }, poolId), keysOf(POOL_SETTINGS));
    await refuseUndoing({ ...ctx, db }, poolId, before, settings);
    await db.orm.update(pools).set(settings).where(ownPool(ctx, poolId));
    await recordAudit(db, ctx, {
      action: "pool.changed",
      ...poolSubject({ ...settings, id: poolId }),
      before,
      after: settings,
    });
  });
  await setAside(ctx, poolId);
}

/** Deletes an unused pool with its undone batches and its refill rule. Throws NOT_FOUND, CONFLICT. */
export async function deletePool(ctx: Context, poolId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    // Waits for an import that is creating its batch.
    await db.orm.select({ id: pools.id }).from(pools).where(ownPool(ctx, poolId)).for("update");
    const pool = await getPool(scope, poolId);
    await assertUnused(scope, poolId);
    await db.orm
      .delete(refillRules)
      .where(and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId)));
    await db.orm.delete(batches).where(and(eq(batches.appId, ctx.app.id), eq(batches.poolId, poolId)));
    await db.orm.delete(pools).where(ownPool(ctx, poolId));
    await recordAudit(db, ctx, {
      action: "pool.deleted",
      ...poolSubject(pool),
      before: pick(pool, ["name", "platform", "use"]),
    });
  });
}

/** Throws CONFLICT while a campaign, a batch with codes or a request for codes uses the pool. */
async function assertUnused({ app, db }: Context, poolId: string): Promise<void> {
  const refuse = (message: string) => fail("CONFLICT", message);
  const { appId, refereePoolId, rewardPoolId } = campaignPlatforms;
  const isChosen = and(eq(appId, app.id), or(eq(refereePoolId, poolId), eq(rewardPoolId, poolId)));
  const byCampaign = and(eq(campaigns.appId, appId), eq(campaigns.id, campaignPlatforms.campaignId));
  const choices = db.orm.select().from(campaignPlatforms).innerJoin(campaigns, byCampaign).where(isChosen);
  const [{ campaigns: campaign } = {}] = await choices.orderBy(sql`${campaigns.status} = 'ended'`).limit(1);
  if (campaign?.status === "ended")
    refuse(`“${campaign.name}” has ended with this pool, so it cannot be deleted. Rename it instead`);
  if (campaign) refuse(`“${campaign.name}” takes codes from this pool. Choose another pool there first`);
  const inPool = (table: typeof batches | typeof codeRequests) =>
    and(eq(table.appId, app.id), eq(table.poolId, poolId));
  const isFilled = or(ne(batches.state, "undone"), ne(batches.size, 0));
  if ((await db.orm.$count(batches, and(inPool(batches), isFilled))) > 0)
    refuse("The pool has codes. Undo its batches first; a pool with assigned codes cannot be deleted");
  // Without its batch no sweep would find the rest of a failed import, and its codes could never be imported again.
  const hasRest = sql`exists (
    select 1 from codes c where c.app_id = ${app.id} and c.batch_id = ${batches.id} and c.status = 'available')`;
  if ((await db.orm.$count(batches, and(inPool(batches), hasRest))) > 0)
    refuse("Codes of a failed import are still being removed from this pool. Try again in a few minutes");
  const isUnderWay = inArray(codeRequests.state, OPEN_STATES);
  if ((await db.orm.$count(codeRequests, and(inPool(codeRequests), isUnderWay))) > 0)
    refuse("The codes requested for this pool have not arrived yet. Wait for them, or give up the request");
}
