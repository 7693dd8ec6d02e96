import { and, eq, isNotNull, sql } from "drizzle-orm";
import { COUNTED_UP_TO, type InfluencerView } from "@/lib/contract/influencer-view";
import type { ReferrerQuery } from "@/lib/contract/referrer-list";
import { referrers } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import { type Page, type Paged, pageSize } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";
import { referralLink } from "@/lib/tenants/domains/link";
import { bestFirst } from "./list";
import { profileOf } from "./record";

type Counts = Pick<InfluencerView, "clicked" | "assigned" | "confirmed" | "earned" | "claimed" | "withdrawn">;

const NONE: Counts = { clicked: 0, assigned: 0, confirmed: 0, earned: 0, claimed: 0, withdrawn: 0 };

/** The influencers of a campaign with their figures, the newest or those with the most confirmed referrals first. */
export async function listInfluencers(
  ctx: Context,
  campaignId: string,
  page: Page & Pick<ReferrerQuery, "sort">,
): Promise<Paged<InfluencerView>> {
  const own = and(eq(referrers.campaignId, campaignId), isNotNull(referrers.campaignId));
  const { data, nextCursor } = await walkPage(ctx.db, referrers, {
    within: and(eq(referrers.appId, ctx.app.id), own),
    ...(page.sort ? bestFirst : newestFirst(referrers.id)),
    cursor: page.cursor,
    size: pageSize(page),
  });
  const counts = await countsOf(
    ctx,
    data.map(({ id }) => id),
  );
  return {
    nextCursor,
    data: data.map(({ id, uid, slug, status, metadata, notes, createdAt }) => ({
      id,
      uid,
      status,
      notes,
      createdAt,
      metacode: slug,
      link: referralLink(ctx.app.landingDomain, slug),
      ...profileOf(metadata),
      ...(counts.get(id) ?? NONE),
    })),
  };
}

/**
 * Counts along indexes of app and referrer. A click that became a referral counts as that referral. Other clicks are
 * deleted after 90 days, so the count of clicks covers these days.
 */
async function countsOf(ctx: Context, ids: string[]): Promise<Map<string, Counts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await ctx.db.orm.execute<Counts & { id: string }>(sql`
    select i.id, (pending.clicks + assigned.clicked)::int as clicked, assigned.assigned::int as assigned,
           coalesce(rewards.confirmed, 0)::int as confirmed, coalesce(rewards.earned, 0)::int as earned,
           coalesce(rewards.claimed, 0)::int as claimed, coalesce(rewards.withdrawn, 0)::int as withdrawn
      from unnest(${sql.param(ids)}::uuid[]) as i (id)
      cross join lateral (
        select count(*) as clicks from (
          select 1 from clicks c where c.app_id = ${ctx.app.id} and c.referrer_id = i.id limit ${COUNTED_UP_TO}) c) pending
      cross join lateral (
        select count(*) as assigned, count(*) filter (where f.clicked_at > now() - interval '90 days') as clicked from (
          select f.clicked_at from referrals f
           where f.app_id = ${ctx.app.id} and f.referrer_id = i.id limit ${COUNTED_UP_TO}) f) assigned
      cross join lateral (
        select sum(g.confirmed) as confirmed, sum(g.earned) as earned, sum(g.claimed) as claimed, sum(g.withdrawn) as withdrawn
          from referrer_progress g where g.app_id = ${ctx.app.id} and g.referrer_id = i.id) rewards`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
