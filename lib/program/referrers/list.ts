import { and, eq, inArray, isNotNull, isNull, type SQL, sql, sum } from "drizzle-orm";
import type { ReferrerQuery, ReferrerRow } from "@/lib/contract/referrer-list";
import { referrerProgress, referrers } from "@/lib/platform/db/schema";
import { newestFirst, type Walk, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import { campaignNames } from "@/lib/program/campaigns/read";
import type { Context } from "@/lib/tenants/context";
import { metacodeIn } from "./mistyped";
import { referrerLabel } from "./record";
import { type FoundReferrer, searchReferrers } from "./search";

const DEFAULT_SIZE = 50;

/**
 * A page of the app's referrers, newest first or most confirmed referrals first, or those that match a text (see
 * {@link searchReferrers}). The order by referrals comes from the roll-up, a minute behind the shown counts.
 */
export async function listReferrers(
  ctx: Context,
  query: ReferrerQuery,
  size = DEFAULT_SIZE,
): Promise<Paged<ReferrerRow>> {
  const { q, cursor, sort } = query;
  const [narrow, filter] = conditions(query);
  const page = q
    ? await searchReferrers(ctx, {
        text: q,
        metacode: metacodeIn(q),
        filter: and(narrow, filter),
        cursor,
        size,
      })
    : await walkPage(ctx.db, referrers, {
        within: and(eq(referrers.appId, ctx.app.id), narrow),
        ...(sort ? bestFirst : newestFirst(referrers.id)),
        filter,
        cursor,
        size,
      });
  return { ...page, data: await referrerRows(ctx, page.data) };
}

/** Most confirmed referrals first, along `referrers_best` or `referrers_campaign_best`. */
export const bestFirst: Pick<Walk, "keys" | "order"> = {
  keys: [
    { by: referrers.confirmed, type: "int" },
    { by: referrers.id, type: "uuid" },
  ],
  order: "desc",
};

/**
 * Two conditions. The first is written exactly as in a partial index (`referrers_inactive`, `referrers_campaign`,
 * `referrers_best`, `referrers_campaign_best`), without parameters, because a worker of a cluster plans without their
 * values. The second is checked row by row.
 */
function conditions({ status, campaign, sort, q }: ReferrerQuery): [SQL | undefined, SQL | undefined] {
  const { status: own, campaignId, confirmed } = referrers;
  const influencer = campaign && campaign !== "none" ? campaign : undefined;
  const best = sort && !q;
  const narrow = and(
    status && status !== "active" && !best ? sql`${own} <> 'active'` : undefined,
    influencer ? and(eq(campaignId, influencer), isNotNull(campaignId)) : undefined,
    best && !influencer ? sql`${confirmed} > 0` : undefined,
  );
  return [narrow, and(status && eq(own, status), campaign === "none" ? isNull(campaignId) : undefined)];
}

/** Confirmed referrals and rewards of these referrers over all campaigns, along the primary key. */
async function countsOf(ctx: Context, ids: string[]) {
  if (ids.length === 0) return new Map();
  const { appId, referrerId } = referrerProgress;
  const total = (column: Parameters<typeof sum>[0]) => sum(column).mapWith(Number);
  const rows = await ctx.db.orm
    .select({
      id: referrerId,
      confirmed: total(referrerProgress.confirmed),
      earned: total(referrerProgress.earned),
      claimed: total(referrerProgress.claimed),
      withdrawn: total(referrerProgress.withdrawn),
    })
    .from(referrerProgress)
    .where(and(eq(appId, ctx.app.id), inArray(referrerId, ids)))
    .groupBy(referrerId);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Referrers as a list shows them. */
async function referrerRows(ctx: Context, page: readonly FoundReferrer[]): Promise<ReferrerRow[]> {
  const [names, counts] = await Promise.all([
    campaignNames(
      ctx,
      page.flatMap(({ campaignId }) => campaignId ?? []),
    ),
    countsOf(
      ctx,
      page.map(({ id }) => id),
    ),
  ]);
  return page.map((row) => ({
    ...referrerLabel(row),
    ...(row.former && { former: row.former }),
    uid: row.uid,
    status: row.status,
    createdAt: row.createdAt,
    campaign: (row.campaignId && names.get(row.campaignId)) ?? null,
    ...(counts.get(row.id) ?? { confirmed: 0, earned: 0, claimed: 0, withdrawn: 0 }),
  }));
}
