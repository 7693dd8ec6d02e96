import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { DAY_MS } from "@/lib/contract/format";
import { REFERRAL_PERIODS, type ReferralQuery, type ReferralRow } from "@/lib/contract/referral-list";
import { beginsWith } from "@/lib/platform/db/index-ranges";
import { clicks, referrals, referrers, slugDirectory } from "@/lib/platform/db/schema";
import { newestByTime, type Walk, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import { metacodeIn } from "@/lib/program/referrers/mistyped";
import type { Context } from "@/lib/tenants/context";
import { clickRows, referralRows } from "./rows";

const DEFAULT_SIZE = 50;

/**
 * A page of the app's referrals, newest first. A search for a metacode finds the referrals of its referrer; any other
 * text finds referees by the beginning of their uid, in the order of the uids.
 */
export async function listReferrals(
  ctx: Context,
  query: ReferralQuery,
  size = DEFAULT_SIZE,
): Promise<Paged<ReferralRow>> {
  const owner = await referrerOfMetacode(ctx, query.q);
  if (query.referrer && owner && owner !== query.referrer) return { data: [], nextCursor: null };
  const referrer = query.referrer ?? owner;
  const { cursor } = query;
  if (query.status === "clicked") {
    // The platform of a click is not known.
    if ((query.q && !owner) || query.platform) return { data: [], nextCursor: null };
    const page = await walkPage(ctx.db, clicks, { ...(await clickWalk(ctx, query, referrer)), cursor, size });
    return { ...page, data: await clickRows(ctx, page.data) };
  }
  const uid = owner ? undefined : query.q;
  const page = await walkPage(ctx.db, referrals, {
    ...(uid ? byReferee(ctx, uid, query) : byTime(ctx, query, referrer)),
    cursor,
    size,
  });
  return { ...page, data: await referralRows(ctx, page.data) };
}

type ReferralWalk = Pick<Walk, "within" | "keys" | "order" | "filter">;

function byTime(ctx: Context, query: ReferralQuery, referrer: string | undefined): ReferralWalk {
  const { appId, referrerId, createdAt, id } = referrals;
  return {
    within: and(
      eq(appId, ctx.app.id),
      referrer ? eq(referrerId, referrer) : undefined,
      during(createdAt, query),
    ),
    ...newestByTime(createdAt, id),
    filter: referralFilter(query),
  };
}

function byReferee(ctx: Context, uid: string, query: ReferralQuery): ReferralWalk {
  const { appId, refereeUid, createdAt, id } = referrals;
  return {
    within: and(eq(appId, ctx.app.id), beginsWith(refereeUid, uid)),
    keys: [{ by: refereeUid, type: "text" }, ...newestByTime(createdAt, id).keys],
    order: "asc",
    filter: and(
      during(createdAt, query),
      referralFilter(query),
      query.referrer ? eq(referrals.referrerId, query.referrer) : undefined,
    ),
  };
}

/** A click has no uid. Its campaign is its referrer's: their own, or else the app's. */
async function clickWalk(ctx: Context, query: ReferralQuery, referrer?: string): Promise<ReferralWalk> {
  const { appId, referrerId, createdAt, id } = clicks;
  const { rows } = await ctx.db.orm.execute<{ id: string }>(
    sql`select id from campaign_of(${ctx.app.id}, null)`,
  );
  const campaign = sql`(select coalesce(r.campaign_id, ${rows[0]?.id ?? null}::uuid) from ${referrers} r
    where r.app_id = ${ctx.app.id} and r.id = ${referrerId})`;
  return {
    within: and(eq(appId, ctx.app.id), during(createdAt, query)),
    ...newestByTime(createdAt, id),
    filter: and(
      referrer ? eq(referrerId, referrer) : undefined,
      query.campaign ? eq(campaign, query.campaign) : undefined,
    ),
  };
}

type Period = Pick<ReferralQuery, "period" | "from" | "to">;

/** The condition of a period, on a column that an index is ordered by. */
function during(column: PgColumn, { period, from, to }: Period): SQL | undefined {
  if (!period) return undefined;
  if (period !== "custom") return gte(column, new Date(Date.now() - REFERRAL_PERIODS[period] * DAY_MS));
  return and(
    from ? gte(column, new Date(from)) : undefined,
    to ? lt(column, new Date(Date.parse(to) + DAY_MS)) : undefined,
  );
}

const BY_STATUS: Record<string, SQL | undefined> = {
  code_assigned: eq(referrals.status, "code_assigned"),
  redeemed: and(eq(referrals.status, "redeemed"), isNull(referrals.reversedAt)),
  reversed: isNotNull(referrals.reversedAt),
};

/** Conditions on columns that no index is ordered by. */
function referralFilter({ status, platform, campaign }: ReferralQuery): SQL | undefined {
  return and(
    status && BY_STATUS[status],
    platform && eq(referrals.platform, platform),
    campaign ? eq(referrals.campaignId, campaign) : undefined,
  );
}

/** The directory also has former metacodes, by which friends still redeem. The text may be a whole referral link. */
async function referrerOfMetacode(ctx: Context, text: string | undefined): Promise<string | undefined> {
  if (!text) return undefined;
  const [found] = await ctx.db.orm
    .select({ id: slugDirectory.referrerId })
    .from(slugDirectory)
    .where(and(eq(slugDirectory.appId, ctx.app.id), eq(slugDirectory.slug, metacodeIn(text))));
  return found?.id;
}
