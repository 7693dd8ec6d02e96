import { listAttention } from "@/lib/attention/list";
import { listCampaigns } from "@/lib/campaigns/list";
import type { Context } from "@/lib/context";
import type { Overview, OverviewQuery } from "@/lib/contract/overview";
import { newestActivity } from "@/lib/stats/activity";
import { quotaOf } from "@/lib/stats/quota";
import { stockOf } from "@/lib/stats/stock";
import { readTrend } from "@/lib/stats/trend";

const ACTIVITY = 10;

async function readStock(ctx: Context): Promise<Pick<Overview, "pools" | "attention">> {
  const pools = await stockOf(ctx);
  return { pools, attention: await listAttention(ctx, pools) };
}

async function readRest(ctx: Context): Promise<Pick<Overview, "quota" | "activity" | "campaigns">> {
  const quota = await quotaOf(ctx);
  const activity = await newestActivity(ctx, ACTIVITY);
  const campaigns = (await listCampaigns(ctx)).map(({ id, name }) => ({ id, name }));
  return { quota, activity, campaigns };
}

/**
 * What an app's first page shows, up to this second. No part of it grows with the app's codes or referrals, and it
 * takes three or four connections of the pool at the most.
 */
export async function readOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  const [trend, stock, rest] = await Promise.all([readTrend(ctx, query), readStock(ctx), readRest(ctx)]);
  return { trend, ...stock, ...rest };
}
