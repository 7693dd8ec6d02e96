import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { COUNTED_UP_TO, type InfluencerView } from "@/lib/contract/influencer-view";
import { isUuid } from "@/lib/contract/uuid";
import { referrers } from "@/lib/db/schema";
import { linkOf } from "@/lib/domains/link";
import { type Page, type Paged, pageOf, pageSize } from "@/lib/page";
import { profileOf } from "./profile";

type Counts = Pick<InfluencerView, "clicked" | "assigned" | "confirmed" | "earned" | "claimed">;

const NONE: Counts = { clicked: 0, assigned: 0, confirmed: 0, earned: 0, claimed: 0 };

/** The influencers of a campaign with what they brought, the newest first. */
export async function listInfluencers(
  ctx: Context,
  campaignId: string,
  page: Page,
): Promise<Paged<InfluencerView>> {
  const size = pageSize(page);
  const older = page.cursor && isUuid(page.cursor) ? lt(referrers.id, page.cursor) : undefined;
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.campaignId, campaignId), older))
    .orderBy(desc(referrers.id))
    .limit(size + 1);
  const { data, nextCursor } = pageOf(rows, size);
  const counts = await countsOf(
    ctx,
    data.map(({ id }) => id),
  );
  return {
    nextCursor,
    data: data.map(({ id, uid, slug, status, metadata, notes, createdAt }) => ({
      ...{ id, uid, status, notes, createdAt, metacode: slug, link: linkOf(ctx.app.landingDomain, slug) },
      ...profileOf(metadata),
      ...(counts.get(id) ?? NONE),
    })),
  };
}

/** Each along an index that begins with the app and the referrer. A click that became a referral is counted there. */
async function countsOf(ctx: Context, ids: string[]): Promise<Map<string, Counts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await ctx.db.orm.execute<Counts & { id: string }>(sql`
    select i.id, (open.clicks + given.clicked)::int as clicked, given.assigned::int as assigned,
           coalesce(done.confirmed, 0)::int as confirmed, coalesce(done.earned, 0)::int as earned,
           coalesce(done.claimed, 0)::int as claimed
      from unnest(${sql.param(ids)}::uuid[]) as i (id)
      cross join lateral (
        select count(*) as clicks from (
          select 1 from clicks c where c.app_id = ${ctx.app.id} and c.referrer_id = i.id limit ${COUNTED_UP_TO}) one) open
      cross join lateral (
        select count(*) as assigned, count(one.clicked_at) as clicked from (
          select f.clicked_at from referrals f
           where f.app_id = ${ctx.app.id} and f.referrer_id = i.id limit ${COUNTED_UP_TO}) one) given
      cross join lateral (
        select sum(g.confirmed) as confirmed, sum(g.earned) as earned, sum(g.claimed) as claimed
          from referrer_progress g where g.app_id = ${ctx.app.id} and g.referrer_id = i.id) done`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
