import { isoDay } from "@/lib/contract/format";
import type { Overview, OverviewQuery, Trend, TrendBucket, TrendNote } from "@/lib/contract/overview";
import { recentActivity } from "@/lib/outward/overview/activity";
import { listProblems } from "@/lib/outward/problems/detect";
import { type Campaign, listCampaigns } from "@/lib/program/campaigns/read";
import { stockOf } from "@/lib/program/stats/stock";
import { readTrend } from "@/lib/program/stats/trend";
import type { Context } from "@/lib/tenants/context";

const ACTIVITY = 10;

type State = Pick<Overview, "pools" | "problems"> & { campaigns: Campaign[] };

async function readState(ctx: Context): Promise<State> {
  const campaigns = await listCampaigns(ctx);
  const stock = await stockOf(ctx);
  return { campaigns, pools: stock, problems: await listProblems(ctx, { stock, campaigns }) };
}

/** The starts and planned ends of campaigns in the days of a trend, in order of time. */
export function notesOf(
  { buckets, until }: Pick<Trend, "until"> & { buckets: Pick<TrendBucket, "start">[] },
  campaigns: readonly Pick<Campaign, "id" | "name" | "status" | "activatedAt" | "startsAt" | "endsAt">[],
  now = new Date(),
): TrendNote[] {
  const note = (what: TrendNote["what"], at: Date | null, { id, name }: { id: string; name: string }) => {
    if (!at || at > now) return [];
    const day = isoDay(at);
    const bucket = buckets.findLastIndex(({ start }) => start <= day);
    return bucket < 0 || day > until ? [] : [{ bucket, day, what, campaign: { id, name } }];
  };
  return campaigns
    .flatMap((campaign) => {
      const { status, activatedAt, startsAt, endsAt } = campaign;
      const start = activatedAt && startsAt && startsAt > activatedAt ? startsAt : activatedAt;
      return [
        ...note("started", start, campaign),
        ...note("ended", start && status === "ended" ? endsAt : null, campaign),
      ];
    })
    .sort((a, b) => a.day.localeCompare(b.day));
}

/**
 * Everything on an app's overview, up to this second. No part of it grows with the app's codes or referrals, and it
 * uses at most four connections of the pool.
 */
export async function readOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  const [trend, state, activity] = await Promise.all([
    readTrend(ctx, query),
    readState(ctx),
    recentActivity(ctx, ACTIVITY),
  ]);
  const shown = state.campaigns.filter(({ id }) => !query.campaign || id === query.campaign);
  const campaigns = state.campaigns.map(({ id, name }) => ({ id, name }));
  return { ...state, trend, activity, campaigns, notes: notesOf(trend, shown) };
}
