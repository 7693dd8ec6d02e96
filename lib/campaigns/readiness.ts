import { and, eq, inArray, ne } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { PlatformReadiness, PoolReadiness, Readiness } from "@/lib/contract/campaign-view";
import { campaigns, pools } from "@/lib/db/schema";
import { freeCodes } from "./free-codes";
import type { Campaign } from "./list";

/** Free codes are counted no further: beyond it there are enough to begin. */
const ENOUGH = 1_001;

/** What is missing before a campaign can give codes. */
export async function readinessOf(ctx: Context, campaign: Campaign): Promise<Readiness> {
  const ids = campaign.platforms.flatMap((rule) => [rule.refereePoolId, rule.rewardPoolId]);
  const stocked = await stock(
    ctx,
    campaign,
    [...new Set(ids)].filter((id) => id !== null),
  );
  const platforms = campaign.platforms.map((rule): PlatformReadiness => {
    const storeId = rule.platform === "ios" ? ctx.app.appleAppId : ctx.app.androidPackage;
    return {
      platform: rule.platform,
      storeId: storeId !== null,
      referee: stocked.get(rule.refereePoolId ?? "") ?? null,
      reward: stocked.get(rule.rewardPoolId ?? "") ?? null,
    };
  });
  return { platforms, active: campaign.type === "referral" ? await otherActive(ctx, campaign.id) : null };
}

async function stock(ctx: Context, campaign: Campaign, ids: string[]): Promise<Map<string, PoolReadiness>> {
  if (ids.length === 0) return new Map();
  const found = await ctx.db.orm
    .select({ id: pools.id, name: pools.name })
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), inArray(pools.id, ids)));
  const counted = found.map(async ({ id, name }) => {
    const free = await freeCodes(ctx, id, campaign.safetyMarginHours, ENOUGH);
    return [id, { id, name, free }] as const;
  });
  return new Map(await Promise.all(counted));
}

async function otherActive(ctx: Context, campaignId: string): Promise<Readiness["active"]> {
  const [active] = await ctx.db.orm
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.appId, ctx.app.id),
        eq(campaigns.type, "referral"),
        eq(campaigns.status, "active"),
        ne(campaigns.id, campaignId),
      ),
    );
  return active ?? null;
}
