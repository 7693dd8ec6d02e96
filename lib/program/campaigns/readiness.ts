import { and, eq, inArray, sql } from "drizzle-orm";
import type { PlatformReadiness, PoolReadiness, Readiness } from "@/lib/contract/campaign-view";
import { pools } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { findActiveReferralCampaign } from "./lifecycle";
import type { Campaign } from "./read";

/** Free codes are counted up to this number, which is enough to start. */
const ENOUGH = 1_001;

/** Store ids and pools that a campaign needs before it can assign codes, and the campaign that it would replace. */
export async function readinessOf(ctx: Context, campaign: Campaign): Promise<Readiness> {
  const stocked = await stockOfPools(ctx, campaign);
  const platforms = campaign.platforms.map((rule): PlatformReadiness => {
    const storeId = rule.platform === "ios" ? ctx.app.appleAppId : ctx.app.androidPackage;
    return {
      platform: rule.platform,
      storeId: storeId !== null,
      referee: stocked.get(rule.refereePoolId ?? "") ?? null,
      reward: stocked.get(rule.rewardPoolId ?? "") ?? null,
    };
  });
  const active = campaign.type === "referral" && (await findActiveReferralCampaign(ctx, campaign.id));
  return { platforms, active: active || null };
}

async function stockOfPools(ctx: Context, campaign: Campaign): Promise<Map<string, PoolReadiness>> {
  const named = campaign.platforms.flatMap((rule) => [rule.refereePoolId, rule.rewardPoolId]);
  const ids = named.filter((id) => id !== null);
  const found = await ctx.db.orm
    .select({ id: pools.id, name: pools.name })
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), inArray(pools.id, ids)));
  const counted = found.map(async ({ id, name }) => {
    const free = await freeCodes(ctx, [id], campaign.safetyMarginHours, ENOUGH);
    return [id, { id, name, free }] as const;
  });
  return new Map(await Promise.all(counted));
}

/** Codes of pools that a campaign can assign now, counted no further than `enough`, along `codes_free`. */
export async function freeCodes(
  ctx: Context,
  poolIds: string[],
  marginHours: number,
  enough: number,
): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ free: number }>(sql`
    select count(*)::int as free from (
      select 1 from batches b
        join codes c on c.app_id = b.app_id and c.batch_id = b.id and c.status = 'available'
       where b.app_id = ${ctx.app.id} and b.pool_id = any(${sql.param(poolIds)}::uuid[]) and b.state = 'ready'
         and (b.expires_at is null or b.expires_at > now() + make_interval(hours => ${marginHours}))
       limit ${enough}) free_codes`);
  return rows[0]?.free ?? 0;
}
