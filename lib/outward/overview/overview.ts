import type { Overview, OverviewQuery } from "@/lib/contract/overview";
import { recentActivity } from "@/lib/outward/overview/activity";
import { listProblems } from "@/lib/outward/problems/detect";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { stockOf } from "@/lib/program/stats/stock";
import { readTrend } from "@/lib/program/stats/trend";
import type { Context } from "@/lib/tenants/context";
import { getQuota } from "@/lib/tenants/quota/usage";

const ACTIVITY = 10;

async function readStock(ctx: Context): Promise<Pick<Overview, "pools" | "problems">> {
  const pools = await stockOf(ctx);
  return { pools, problems: await listProblems(ctx, pools) };
}

async function readRest(ctx: Context): Promise<Pick<Overview, "quota" | "activity" | "campaigns">> {
  const quota = await getQuota(ctx);
  const activity = await recentActivity(ctx, ACTIVITY);
  const campaigns = (await listCampaigns(ctx)).map(({ id, name }) => ({ id, name }));
  return { quota, activity, campaigns };
}

/**
 * Everything on an app's overview, up to this second. No part of it grows with the app's codes or referrals, and it
 * uses at most four connections of the pool.
 */
export async function readOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  const [trend, stock, rest] = await Promise.all([readTrend(ctx, query), readStock(ctx), readRest(ctx)]);
  return { trend, ...stock, ...rest };
}
