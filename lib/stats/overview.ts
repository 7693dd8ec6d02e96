import { listAttention } from "@/lib/attention/list";
import { listCampaigns } from "@/lib/campaigns/list";
import type { Context } from "@/lib/context";
import type { Overview, OverviewQuery } from "@/lib/contract/overview";
import { newestActivity } from "@/lib/stats/activity";
import { quotaOf } from "@/lib/stats/quota";
import { stockOf } from "@/lib/stats/stock";
import { readTrend } from "@/lib/stats/trend";

const ACTIVITY = 10;

/** What an app's first page shows, up to this second. No part of it grows with the app's codes or referrals. */
export async function readOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  const stock = stockOf(ctx);
  const [trend, pools, quota, activity, attention, campaigns] = await Promise.all([
    readTrend(ctx, query),
    stock,
    quotaOf(ctx),
    newestActivity(ctx, ACTIVITY),
    stock.then((found) => listAttention(ctx, found)),
    listCampaigns(ctx),
  ]);
  return {
    ...{ trend, pools, quota, activity, attention },
    campaigns: campaigns.map(({ id, name }) => ({ id, name })),
  };
}
