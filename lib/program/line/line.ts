import { and, eq, sql } from "drizzle-orm";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { campaignPlatforms, refereesInLine } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";

const SET_ASIDE = sqlFunction("set_aside", { app: "uuid", pool: "uuid", limit: "int" }).returns<number>();
const END_PLACES = sqlFunction("end_places", { app: "uuid", limit: "int" }).returns<string[]>();
const IN_LINE = sqlFunction("in_line", {
  app: "uuid",
  pool: "uuid",
  open: "boolean",
  after: "uuid",
  limit: "int",
}).returns<{ place: string }[]>();
const COUNT_IN_LINE = sqlFunction("count_in_line", { app: "uuid" }).returns<Record<string, number>>();
const END_TAKEN = sqlFunction("end_taken_places", { app: "uuid" }).returns<void>();
const END_LINE = sqlFunction("end_line", { app: "uuid", campaign: "uuid" }).returns<void>();
const RENEW_RESERVATIONS = sqlFunction("renew_reservations", {
  app: "uuid",
  campaign: "uuid?",
  referrer: "uuid?",
  after: "uuid",
  limit: "int",
}).returns<string | null>();
const TAKE_BACK = sqlFunction("take_back", {
  app: "uuid",
  batch: "uuid?",
  expiring: "boolean",
  after: "uuid?",
  limit: "int",
}).returns<string | null>();

/** Referees for whom one statement sets codes aside: 500 took longer than its five seconds on a small Citus cluster. */
const MOST = 100;

/**
 * Sets free codes of a pool aside for the first in line, each with its event; returns how many. Called in the transaction
 * that adds codes, so that no other redeem sees them first. For codes that were free before, each step commits separately,
 * because redeems of campaigns with a budget wait for it.
 */
export async function setAside(ctx: { db: Db; app: { id: string } }, poolId: string): Promise<number> {
  let count = 0;
  for (let step = MOST; step === MOST; count += step)
    step = await ctx.db.call(SET_ASIDE, { app: ctx.app.id, pool: poolId, limit: MOST });
  return count;
}

/** {@link setAside} for a campaign that changed. Runs after the commit, because budgets are locked in their own order. */
export async function setAsideFor(ctx: Context, id: string): Promise<void> {
  const { appId, campaignId, refereePoolId } = campaignPlatforms;
  const rows = await ctx.db.orm
    .select({ poolId: refereePoolId })
    .from(campaignPlatforms)
    .where(and(eq(appId, ctx.app.id), eq(campaignId, id)));
  for (const { poolId } of rows) if (poolId) await setAside(ctx, poolId);
}

/** {@link setAsideFor} for a referrer whose friends may have codes again. */
export async function setAsideForFriends(ctx: Context, referrer: string): Promise<void> {
  await takeExpiringBack(ctx, null);
  const { appId, campaignId, referrerId } = refereesInLine;
  const rows = await ctx.db.orm
    .selectDistinct({ campaignId })
    .from(refereesInLine)
    .where(and(eq(appId, ctx.app.id), eq(referrerId, referrer)));
  for (const row of rows) await setAsideFor(ctx, row.campaignId);
}

/**
 * Restarts the 48 hours of codes that are set aside, with an event for those who can fetch theirs, in the transaction that
 * resumes their campaign or referrer.
 */
export async function renewReservations({ app, db }: Context, of: { campaign?: string; referrer?: string }) {
  const { campaign = null, referrer = null } = of;
  let after: string | null = NIL_ID;
  do after = await db.call(RENEW_RESERVATIONS, { app: app.id, campaign, referrer, after, limit: MOST });
  while (after);
}

/** Takes back the codes of a withdrawn batch that are set aside. Their referees keep their places and wait for others. */
export const takeBack = (db: Db, appId: string, batchId: string): Promise<void> =>
  takeBackAll(db, appId, batchId, false);

/** Takes back codes that are set aside and, after an edit of their batch or of a safety margin, expire too soon. */
export const takeExpiringBack = ({ db, app }: Context, batchId: string | null): Promise<void> =>
  takeBackAll(db, app.id, batchId, true);

async function takeBackAll(db: Db, app: string, batch: string | null, expiring: boolean): Promise<void> {
  let after: string | null = null;
  do after = await db.call(TAKE_BACK, { app, batch, expiring, after, limit: MOST });
  while (after);
}

/** Ends the places in line of a campaign that ends. The next round frees the codes that are set aside for them. */
export const endLine = ({ db, app }: Context, campaignId: string): Promise<void> =>
  db.call(END_LINE, { app: app.id, campaign: campaignId });

/** Ends the time of codes that are set aside for referees who already have one of the other store. */
export const endTakenPlaces = ({ db, app }: Context): Promise<void> => db.call(END_TAKEN, { app: app.id });

/** Ids of the apps with places in line that are over. */
export const APPS_WITH_ENDED_PLACES = sql`
  select app_id from referees_in_line where reserved_until <= now()
  union select app_id from referees_in_line where created_at <= now() - interval '30 days' and code_id is null`;

/** Ends places that are over; returns whether codes became free, which go to the next in line at once. */
export const endPlaces = (ctx: Context): Promise<boolean> =>
  ctx.db.transaction(async (db) => {
    const pools = await db.call(END_PLACES, { app: ctx.app.id, limit: MOST });
    for (const poolId of pools) await setAside({ ...ctx, db }, poolId);
    return pools.length > 0;
  });

/** Repeats {@link endPlaces} until no more codes become free: other redeems may find the pool empty meanwhile. */
export async function endAllPlaces(ctx: Context): Promise<void> {
  while (await endPlaces(ctx));
}

/** The first places in line for a pool, after one, whose referees may get a code now: rows as in_line.sql returns them. */
export const inLine = ({ db, app }: Context, pool: string, after = NIL_ID, limit = SCAN_ROWS) =>
  db.call(IN_LINE, { app: app.id, pool, open: true, after, limit });

/** Counts the referees in line per referee pool, 10,000 at most; those with a code, or with one set aside, do not wait. */
export const countInLine = async ({ db, app }: Context): Promise<ReadonlyMap<string, number>> =>
  new Map(Object.entries(await db.call(COUNT_IN_LINE, { app: app.id })));
