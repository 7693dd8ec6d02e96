import { and, eq, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Outlook } from "@/lib/contract/campaign-view";
import { referrers } from "@/lib/db/schema";
import { SCAN_ROWS } from "@/lib/db/walk";
import { campaignFigures } from "./figures";
import type { Campaign } from "./list";

/** What a campaign leaves open now. Looks at 10,000 rows at most, however many referrers there are. */
export async function outlookOf(ctx: Context, campaign: Campaign): Promise<Outlook> {
  const people = campaign.type === "influencer" ? influencers : onTheWay;
  const [found, figuresOf] = await Promise.all([people(ctx, campaign.id), campaignFigures(ctx)]);
  const { assigned, confirmed, earned, claimed } = figuresOf(campaign.id);
  return { ...found, openCodes: assigned - confirmed, unclaimed: earned - claimed };
}

type People = Pick<Outlook, "people" | "more">;

async function onTheWay(ctx: Context, campaignId: string): Promise<People> {
  const { rows } = await ctx.db.orm.execute<{ people: number; looked: number }>(sql`
    select count(distinct g.referrer_id) filter (
             where p.threshold is not null and g.confirmed > g.earned * p.threshold
               and (p.reward_cap is null or g.earned < p.reward_cap))::int as people,
           count(*)::int as looked
      from (
        select referrer_id, campaign_id, platform, confirmed, earned from referrer_progress
         where app_id = ${ctx.app.id} order by app_id, referrer_id, campaign_id, platform limit ${SCAN_ROWS}) g
      left join campaign_platforms p
        on p.app_id = ${ctx.app.id} and p.campaign_id = ${campaignId}
       and p.campaign_id = g.campaign_id and p.platform = g.platform`);
  const { people = 0, looked = 0 } = rows[0] ?? {};
  return { people, more: looked === SCAN_ROWS };
}

async function influencers(ctx: Context, campaignId: string): Promise<People> {
  const mine = and(
    eq(referrers.appId, ctx.app.id),
    eq(referrers.campaignId, campaignId),
    eq(referrers.status, "active"),
  );
  const found = ctx.db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(mine)
    .limit(SCAN_ROWS)
    .as("one");
  const people = await ctx.db.orm.$count(found);
  return { people, more: people === SCAN_ROWS };
}
