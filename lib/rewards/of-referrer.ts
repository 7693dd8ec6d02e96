import { and, desc, eq } from "drizzle-orm";
import { campaignNames } from "@/lib/campaigns/names";
import { codesOf } from "@/lib/codes/of-assignments";
import { replacementsOf } from "@/lib/codes/replacements";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import type { RewardView } from "@/lib/contract/timeline";
import { rewards } from "@/lib/db/schema";

const SHOWN = 50;

/** A referrer's rewards with the end of their codes; the newest. */
export async function rewardsOfReferrer(ctx: Context, referrerId: string): Promise<RewardView[]> {
  const rows = await ctx.db.orm
    .select()
    .from(rewards)
    .where(and(eq(rewards.appId, ctx.app.id), eq(rewards.referrerId, referrerId)))
    .orderBy(desc(rewards.createdAt), desc(rewards.rewardNumber))
    .limit(SHOWN);
  const ids = rows.map(({ id }) => id);
  const campaignIds = rows.map(({ campaignId }) => campaignId);
  const [codes, replaced, names] = await Promise.all([
    codesOf(ctx, ids),
    replacementsOf(ctx, ids),
    campaignNames(ctx, campaignIds),
  ]);
  return rows.map(({ id, platform, campaignId, rewardNumber, status, createdAt, claimedAt }) => {
    const code = codes.get(id);
    return {
      ...{ id, platform, rewardNumber, status, createdAt, claimedAt },
      campaign: names.get(campaignId) ?? null,
      code: code ? maskCode(code.code) : null,
      replaced: replaced.has(id),
    };
  });
}
