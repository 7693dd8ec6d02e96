import { and, eq, sql } from "drizzle-orm";
import type { CampaignQuery, Outlook } from "@/lib/contract/campaign-view";
import type { Figures } from "@/lib/contract/overview";
import { sqlFunction } from "@/lib/platform/db/calls";
import { referrers } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { pageOf } from "@/lib/platform/pagination";
import { ERASED } from "@/lib/program/end-users/pseudonym";
import { TAIL } from "@/lib/program/stats/roll-up";
import { recentConfirmed } from "@/lib/program/stats/trend";
import type { Context } from "@/lib/tenants/context";
import { type Campaign, listCampaigns } from "./read";

const NO_FIGURES: Figures = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };

const CAMPAIGN_FIGURES = sqlFunction("campaign_figures", { app: "uuid", tail: "int" }).returns<
  (Figures & { campaign_id: string })[]
>();

/** The figures of each campaign of the app since its beginning; zeros for a campaign without any. */
export async function campaignFigures(ctx: Context): Promise<(campaignId: string) => Figures> {
  const rows = await ctx.db.call(CAMPAIGN_FIGURES, { app: ctx.app.id, tail: TAIL });
  const byId = new Map(rows.map(({ campaign_id, ...figures }) => [campaign_id, figures]));
  return (campaignId) => byId.get(campaignId) ?? NO_FIGURES;
}

/** A page of the app's campaigns with their figures: newest first, or by a figure, which is compared over all of them. */
export async function campaignPage(ctx: Context, { sort, cursor }: CampaignQuery, size = 50) {
  const [campaigns, figuresOf] = await Promise.all([listCampaigns(ctx), campaignFigures(ctx)]);
  const rows = campaigns.map((row) => ({ ...row, figures: figuresOf(row.id) }));
  if (sort) rows.sort((a, b) => b.figures[sort] - a.figures[sort]);
  // After the last row the first page follows: figures change, so the cursor's row may have become the last.
  const from = (rows.findIndex(({ id }) => id === cursor) + 1) % rows.length;
  const page = pageOf(rows.slice(from, from + size + 1), size);
  const shown = page.data.map(({ id }) => id);
  const recentOf = await recentConfirmed(ctx.db, [ctx.app.id], "campaign", shown);
  return { ...page, data: page.data.map((row) => ({ ...row, recent: recentOf(row.id) })) };
}

/** The unfinished business of a campaign. Reads at most 10,000 rows, however many referrers there are. */
export async function outlookOf(ctx: Context, campaign: Campaign): Promise<Outlook> {
  const count = campaign.type === "influencer" ? countInfluencers : countOpenProgress;
  const [counted, figuresOf, undone, lost, inLine] = await Promise.all([
    count(ctx, campaign.id),
    campaignFigures(ctx),
    countUndone(ctx, campaign.id),
    countLost(ctx, campaign.id),
    countPlaces(ctx, campaign.id),
  ]);
  const { assigned, confirmed, earned, claimed } = figuresOf(campaign.id);
  return { ...counted, openCodes: assigned - confirmed + undone, unclaimed: earned - claimed - lost, inLine };
}

async function countPlaces(ctx: Context, campaignId: string): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ places: number }>(sql`
    select count(*)::int as places
      from (
        select from referees_in_line l
         where l.app_id = ${ctx.app.id} and l.campaign_id = ${campaignId} and l.state = 'waiting' and not exists (
           select from referrals f
            where f.app_id = ${ctx.app.id} and f.campaign_id = l.campaign_id and f.referee_uid = l.referee_uid)
         limit ${SCAN_ROWS}) l`);
  return rows[0]?.places ?? 0;
}

/** Confirmations that were unlinked, less redemptions that were released: the figures still count both. */
async function countUndone(ctx: Context, campaignId: string): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ undone: number }>(sql`
    select coalesce(sum(case u.step when 'redeemed' then 1 else -1 end), 0)::int as undone
      from (
        select step, campaign_id from undone_steps
         where app_id = ${ctx.app.id} order by app_id desc, id desc limit ${SCAN_ROWS}) u
     where u.campaign_id = ${campaignId}`);
  return rows[0]?.undone ?? 0;
}

/** The progress of the first referrers of the app. */
const progress = (ctx: Context) => sql`(
  select * from referrer_progress
   where app_id = ${ctx.app.id} order by app_id, referrer_id, campaign_id, platform limit ${SCAN_ROWS})`;

/** Rewards that no claim finds: withdrawn ones, and those of erased referrers. */
async function countLost(ctx: Context, campaignId: string): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ lost: number }>(sql`
    select coalesce(sum(case when ${ERASED} then g.earned - g.claimed else g.withdrawn end), 0)::int as lost
      from ${progress(ctx)} g
      left join referrers f on f.app_id = ${ctx.app.id} and f.id = g.referrer_id
     where g.campaign_id = ${campaignId}`);
  return rows[0]?.lost ?? 0;
}

type ReferrerCount = Pick<Outlook, "referrers" | "more">;

async function countOpenProgress(ctx: Context, campaignId: string): Promise<ReferrerCount> {
  const { rows } = await ctx.db.orm.execute<{ referrers: number; scanned: number }>(sql`
    select count(distinct g.referrer_id) filter (
             where p.threshold is not null and not ${ERASED} and g.confirmed > g.earned * p.threshold
               and (p.reward_cap is null or g.earned < p.reward_cap))::int as referrers,
           count(*)::int as scanned
      from (
        select referrer_id, campaign_id, platform, confirmed, earned - goodwill - case when withdrawn > 0 then (
                 select count(*) from rewards w
                  where w.app_id = ${ctx.app.id} and w.referrer_id = d.referrer_id and w.campaign_id = d.campaign_id
                    and w.platform = d.platform and w.status = 'withdrawn' and w.withdrawn_with is not null
               ) else 0 end as earned
          from ${progress(ctx)} d) g
      left join campaign_platforms p
        on p.app_id = ${ctx.app.id} and p.campaign_id = ${campaignId}
       and p.campaign_id = g.campaign_id and p.platform = g.platform
      left join referrers f on f.app_id = ${ctx.app.id} and f.id = g.referrer_id`);
  const { referrers = 0, scanned = 0 } = rows[0] ?? {};
  return { referrers, more: scanned === SCAN_ROWS };
}

async function countInfluencers(ctx: Context, campaignId: string): Promise<ReferrerCount> {
  const active = and(
    eq(referrers.appId, ctx.app.id),
    eq(referrers.campaignId, campaignId),
    eq(referrers.status, "active"),
  );
  const scanned = ctx.db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(active)
    .limit(SCAN_ROWS)
    .as("influencers");
  const count = await ctx.db.orm.$count(scanned);
  return { referrers: count, more: count === SCAN_ROWS };
}
