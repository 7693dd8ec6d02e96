import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { OPEN_STATES, STORE_LIMIT } from "@/lib/contract/code-request";
import { DAY_MS, formatDate, formatNumber, HOUR_MS } from "@/lib/contract/format";
import { databaseNow } from "@/lib/platform/db/chunks";
import { codeRequests, type LaterOffer, pools, refillRules } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { findStoreKey, NO_KEY } from "@/lib/program/app-store-connect/connect";
import { resumeRefill, stopRefill } from "@/lib/program/app-store-connect/refill-status";
import { payingPlatform } from "@/lib/program/campaigns/platforms";
import { ERASED, personIds } from "@/lib/program/end-users/pseudonym";
import { inLine } from "@/lib/program/line/line";
import { ownPool } from "@/lib/program/pools/get";
import { poolUsage } from "@/lib/program/stats/pool-usage";
import { type PoolStock, stockOf } from "@/lib/program/stats/stock";
import { expiryIn, storeMidnight } from "@/lib/program/stores/expiry";
import type { Context } from "@/lib/tenants/context";
import { insertCodeRequest } from "./create";
import { batchOffer } from "./offers";
import { refilledThisQuarter, requestedThisQuarter } from "./usage";

type RefillRule = typeof refillRules.$inferSelect;
type CodeRequest = typeof codeRequests.$inferSelect;

/** Stops that end once the limit no longer applies, whether or not the pool needs codes. */
const LIMITS: readonly RefillRule["stopped"][] = ["cap", "store_limit", "margin"];

/** Stops that end automatically: with a new quarter, a higher cap, a shorter margin or a key that Apple accepts again. */
const TEMPORARY = ["cap", "store_limit", "margin", "late", "key"] as const;

/** Apple creates a file of codes within minutes, and a temporary failure lasts hours at most. */
const LATE_MS = DAY_MS;

/**
 * Requests codes for each pool whose stock is at or below its threshold, or that lacks an offer that waiting users need,
 * once per refill. If some refills fail, it throws after the last one.
 */
export async function refillPools(ctx: Context): Promise<void> {
  const active = or(isNull(refillRules.stopped), inArray(refillRules.stopped, [...TEMPORARY]));
  const rules = await ctx.db.orm
    .select({ poolId: refillRules.poolId })
    .from(refillRules)
    .where(and(eq(refillRules.appId, ctx.app.id), eq(refillRules.enabled, true), active));
  const failures: unknown[] = [];
  for (const { poolId } of rules) {
    const refilling = ctx.db.transaction((db) => refillPool({ ...ctx, db }, poolId));
    await refilling.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `refills of ${failures.length} pools`);
}

/** The rule's row is the lock: the stock is read after a concurrent refill has brought its codes. */
async function refillPool(ctx: Context, poolId: string): Promise<void> {
  // Before the rule, as in a deletion of the pool, which deletes the rule.
  await ctx.db.orm.select({ id: pools.id }).from(pools).where(ownPool(ctx, poolId)).for("key share");
  const [rule] = await ctx.db.orm
    .select()
    .from(refillRules)
    .where(and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId)))
    .for("update");
  // Again: the rule may have been stopped while this waited for it, by another Apple ID or a request that failed.
  if (!rule?.enabled || (rule.stopped && !TEMPORARY.some((stop) => stop === rule.stopped))) return;
  const last = await lastRefill(ctx, poolId);
  if (last && OPEN_STATES.some((state) => state === last.state)) return stopLate(ctx, last);
  if (rule.stopped === "late") await resumeRefill(ctx, poolId);
  const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
  if (!pool) return;
  const missing = await missingOffer(ctx, rule, pool);
  const expiresOn = expiryIn(rule.validDays, new Date(databaseNow()));
  const findLimit = async () => wasted(expiresOn, pool) ?? (await reachedLimit(ctx, rule));
  if (pool.free > rule.threshold && !missing) {
    if (LIMITS.includes(rule.stopped) && !(await findLimit())) await resumeRefill(ctx, poolId);
    return;
  }
  // Equal for a request that ended another stop: its transaction also set `armedAt`.
  const failure = last && last.createdAt >= rule.armedAt && failureOf(last);
  if (failure) return stopRefill(ctx, poolId, failure, last.trouble ?? "");
  const limit = await findLimit();
  if (limit) return stopRefill(ctx, poolId, limit.stopped, limit.because);
  if (!(await findStoreKey(ctx))) return stopRefill(ctx, poolId, "key", NO_KEY);
  // This request tries a rejected key, and its success resumes the refill. Resumed now, it would alert at each rejection.
  if (rule.stopped && rule.stopped !== "key") await resumeRefill(ctx, poolId);
  const { type: offerType, id: offerId, name: offerName } = missing ?? firstOffer(rule);
  await insertCodeRequest(ctx, {
    offerType,
    offerId,
    offerName,
    poolId,
    origin: "refill",
    amount: rule.amount,
    expiresOn,
  });
}

/** A pool waits for its last refill, so one that has brought no codes after a day is reported to the members. */
async function stopLate(ctx: Context, { poolId, createdAt, trouble }: CodeRequest): Promise<void> {
  if (databaseNow() - createdAt.getTime() < LATE_MS) return;
  const because = `The codes requested on ${formatDate(createdAt)} have not arrived: ${trouble ?? "the store has not made them yet."} Give up that request, and the next check requests new ones.`;
  await stopRefill(ctx, poolId, "late", because);
}

const firstOffer = ({ offerType, offerId, offerName }: RefillRule): LaterOffer => ({
  type: offerType,
  id: offerId,
  name: offerName,
});

/**
 * The first offer of the rule that a referrer with a waiting reward or a referee in line needs, because under their ids
 * they have had every offer that the pool has codes of. Leaves out those of a spent budget, who get no code before it is
 * raised, and those with a code under another id.
 */
async function missingOffer(
  ctx: Context,
  rule: RefillRule,
  pool: PoolStock,
): Promise<LaterOffer | undefined> {
  const free = pool.batches.filter((batch) => batch.free > 0).map(({ offer }) => offer);
  if (free.includes(null)) return undefined;
  const offers = [firstOffer(rule), ...rule.laterOffers];
  const had = (names: SQL) => sql`(
    select count(distinct t.offer) from offer_takers t
     where t.app_id = ${ctx.app.id} and t.platform = ${pool.platform} and t.uid = any(w.ids) and t.offer = any(${names}))`;
  const inPool = sql`${sql.param([...new Set(free)])}::text[]`;
  const names = sql`${sql.param(offers.map(({ name }) => batchOffer(name)))}::text[]`;
  const { rows } = await ctx.db.orm.execute<{ place: number }>(sql`
    select o.place::int as place
      from (
        select f.uid, null::uuid, null::timestamptz
          from campaign_platforms p
          join rewards r on r.app_id = ${ctx.app.id} and r.campaign_id = p.campaign_id and r.waits_for = 'same_offer'
          join referrers f on f.app_id = ${ctx.app.id} and f.id = r.referrer_id and not ${ERASED}
          join campaigns c on c.app_id = ${ctx.app.id} and c.id = p.campaign_id
           and (c.reward_budget is null or c.spent_rewards < c.reward_budget or c.recount_at is not null)
         where p.app_id = ${ctx.app.id} and p.reward_pool_id = ${pool.id} and p.platform = ${payingPlatform(ctx.app.id)}
        union all
        select * from jsonb_to_recordset(${JSON.stringify(await inLine(ctx, pool.id))}::jsonb)
            as i (referee_uid text collate "C", campaign_id uuid, created_at timestamptz)) l (uid, campaign_id, created_at)
      cross join lateral (select ${personIds(ctx.app.id, sql`l.uid`)} as ids offset 0) w
      cross join unnest(${names}) with ordinality o (name, place)
     where ${had(inPool)} = cardinality(${inPool}) and ${had(sql`array[o.name]`)} = 0
       and not ${hasOtherCode(ctx.app.id, sql`w.ids`)}
     order by o.place limit 1`);
  return offers[(rows[0]?.place ?? 0) - 1];
}

/** Whether the person of a place `l` got a code since, under any id, or has one set aside: set_aside ends the place. */
export const hasOtherCode = (appId: string, ids: SQL): SQL => sql`(
  cardinality(${ids}) > 1 and exists (
    select 1 from unnest(${ids}) u (uid) where coalesce((
      select true from referrals f where f.app_id = ${appId} and f.campaign_id = l.campaign_id and f.created_at > l.created_at
         and f.referee_uid >= u.uid and f.referee_uid <= u.uid order by f.referee_uid limit 1), (
      select true from referees_in_line o where o.app_id = ${appId} and o.campaign_id = l.campaign_id and o.reserved_until > now()
         and o.referee_uid >= u.uid and o.referee_uid <= u.uid order by o.referee_uid limit 1), false)))`;

/** The reason not to repeat a refill; undefined if it may be repeated. */
function failureOf({ state, imported }: CodeRequest) {
  if (state === "refused") return "refused";
  return state === "imported" && imported === 0 ? "nothing_new" : undefined;
}

async function lastRefill(ctx: Context, poolId: string) {
  const own = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.poolId, poolId));
  const [last] = await ctx.db.orm
    .select()
    .from(codeRequests)
    .where(and(own, eq(codeRequests.origin, "refill")))
    .orderBy(desc(codeRequests.createdAt))
    .limit(1);
  return last;
}

/** The stop for codes that would expire within the margin: never assigned, they would be requested at every check. */
function wasted(expiresOn: string, { marginMs }: PoolStock) {
  if (storeMidnight(expiresOn).getTime() > databaseNow() + marginMs) return undefined;
  const margin = `the safety margin of ${formatNumber(marginMs / HOUR_MS)} hours`;
  const because = `Codes created now would expire within ${margin} and never be assigned: make them valid for longer, or shorten the margin.`;
  return { stopped: "margin", because } as const;
}

/** Throws VALIDATION_ERROR for codes that would fall within the safety margin of the pool's campaigns at once. */
export async function refuseWasted(ctx: Context, poolId: string, validDays: number): Promise<void> {
  const { marginMs = 0 } = (await poolUsage(ctx)).get(poolId) ?? {};
  // Codes end at 00:00 Pacific Time on the expiry date, up to a day early.
  const least = Math.floor(marginMs / DAY_MS) + 2;
  if (validDays >= least) return;
  const margin = `the campaign's safety margin is ${formatNumber(marginMs / HOUR_MS)} hours`;
  fail("VALIDATION_ERROR", `validDays must be at least ${least}: ${margin}`, { field: "validDays" });
}

/** The limit that another refill would exceed. */
async function reachedLimit(ctx: Context, { poolId, amount, quarterCap }: RefillRule) {
  const used = await refilledThisQuarter(ctx, poolId);
  if (used + amount > quarterCap) {
    const counts = `${formatNumber(used)} of ${formatNumber(quarterCap)} codes were requested this quarter`;
    const because = `Your cap is reached: ${counts}, and a refill is ${formatNumber(amount)}.`;
    return { stopped: "cap", because } as const;
  }
  if ((await requestedThisQuarter(ctx)) + amount > STORE_LIMIT) {
    const because = `Apple's limit is reached: ${formatNumber(STORE_LIMIT)} codes per app and quarter.`;
    return { stopped: "store_limit", because } as const;
  }
  return undefined;
}
