import { and, asc, eq, gte } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { rewards } from "@/lib/db/schema";
import type { Referral } from "@/lib/referrals/status";

/**
 * The reward that a confirmed referral counted towards: the first that its referrer earned with it or after it. Null
 * where that is still to come.
 */
export async function rewardCountedTowards(ctx: Context, referral: Referral) {
  const { referrerId, campaignId, platform, confirmedAt } = referral;
  if (!confirmedAt) return null;
  const [reward] = await ctx.db.orm
    .select()
    .from(rewards)
    .where(
      and(
        eq(rewards.appId, ctx.app.id),
        eq(rewards.referrerId, referrerId),
        eq(rewards.campaignId, campaignId),
        eq(rewards.platform, platform),
        gte(rewards.createdAt, confirmedAt),
      ),
    )
    .orderBy(asc(rewards.rewardNumber))
    .limit(1);
  return reward ?? null;
}
