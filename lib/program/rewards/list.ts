import { and, asc, desc, eq, gte } from "drizzle-orm";
import { maskCode } from "@/lib/contract/code-file";
import type { Referral } from "@/lib/contract/referral-list";
import type { RewardView } from "@/lib/contract/timeline";
import { rewards } from "@/lib/platform/db/schema";
import { campaignNames } from "@/lib/program/campaigns/read";
import { codesByAssignment, replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import type { Context } from "@/lib/tenants/context";

const SHOWN = 50;

/** The newest rewards of a referrer, with masked codes. */
export async function listRewards(ctx: Context, referrerId: string): Promise<RewardView[]> {
  const rows = await ctx.db.orm
    .select()
    .from(rewards)
    .where(and(eq(rewards.appId, ctx.app.id), eq(rewards.referrerId, referrerId)))
    .orderBy(desc(rewards.createdAt), desc(rewards.rewardNumber))
    .limit(SHOWN);
  const ids = rows.map(({ id }) => id);
  const campaignIds = rows.map(({ campaignId }) => campaignId);
  const [codes, replaced, names] = await Promise.all([
    codesByAssignment(ctx, ids),
    replacementsByAssignment(ctx, ids),
    campaignNames(ctx, campaignIds),
  ]);
  return rows.map(({ id, platform, campaignId, rewardNumber, status, waitsFor, createdAt, claimedAt }) => {
    const code = codes.get(id);
    return {
      id,
      platform,
      rewardNumber,
      status,
      waitsFor,
      createdAt,
      claimedAt,
      campaign: names.get(campaignId) ?? null,
      code: code ? maskCode(code.code) : null,
      codeId: code?.id ?? null,
      replaced: replaced.has(id),
    };
  });
}

/**
 * The reward towards which a confirmed referral counts: the first that its referrer earned with it or after it.
 * Undefined before that reward is earned.
 */
export async function findRewardOf(ctx: Context, referral: Referral) {
  const { referrerId, campaignId, platform, confirmedAt, countsFrom, held } = referral;
  if (!confirmedAt || held) return undefined;
  const [reward] = await ctx.db.orm
    .select()
    .from(rewards)
    .where(
      and(
        eq(rewards.appId, ctx.app.id),
        eq(rewards.referrerId, referrerId),
        eq(rewards.campaignId, campaignId),
        eq(rewards.platform, platform),
        gte(rewards.createdAt, countsFrom ?? confirmedAt),
      ),
    )
    .orderBy(asc(rewards.rewardNumber))
    .limit(1);
  return reward;
}
