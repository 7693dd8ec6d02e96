import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { nameField, type Platform, platformField, uuidField } from "@/lib/contract/fields";
import { campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { lockReferrer, referrerSubject } from "@/lib/program/referrers/record";
import { countRewards, insertRewards, raiseEarned } from "@/lib/program/rewards/by-hand";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const goodwillInput = z.object({
  referrerId: uuidField("referrerId"),
  platform: platformField,
  reason: nameField("reason"),
});

/**
 * Grants a referrer of the app's campaign one reward on top of those that referrals earn, even over the campaign's cap;
 * the app claims it like any other. Throws NOT_FOUND, and CONFLICT for influencers, without a campaign, and if a
 * colleague has granted one since the form was opened, probably the same.
 */
export async function grantGoodwillReward(
  ctx: Context,
  input: z.input<typeof goodwillInput>,
): Promise<{ rewardNumber: number }> {
  const { referrerId, platform, reason } = parseInput(goodwillInput, input);
  return ctx.db.transaction(async (db) => {
    const inTransaction = { ...ctx, db };
    const referrer = await lockReferrer(inTransaction, referrerId);
    if (referrer.campaignId !== null)
      fail("CONFLICT", "Influencers get their rewards by hand in their campaign");
    if (referrer.status === "ended") fail("CONFLICT", "This referrer has ended");
    const goodwill = await countRewards(inTransaction, referrerId, "goodwill");
    await refuseUndoing(
      inTransaction,
      referrerId,
      { goodwill },
      { goodwill: goodwill + 1 },
      () => "rewardNumber",
    );
    const key = { referrerId, campaignId: await runningCampaign(inTransaction, platform), platform };
    const rewardNumber = await raiseEarned(inTransaction, key, 1, 1);
    await insertRewards(inTransaction, key, [rewardNumber]);
    await recordAudit(db, ctx, {
      action: "reward.goodwill",
      ...referrerSubject(referrer),
      after: { platform, rewardNumber, reason },
    });
    return { rewardNumber };
  });
}

/** The active campaign, else the one activated or resumed last, as in `campaign_of`. */
async function runningCampaign(ctx: Context, platform: Platform): Promise<string> {
  const [campaign] = await ctx.db.orm
    .select({ id: campaigns.id })
    .from(campaigns)
    .innerJoin(
      campaignPlatforms,
      and(
        eq(campaignPlatforms.appId, campaigns.appId),
        eq(campaignPlatforms.campaignId, campaigns.id),
        eq(campaignPlatforms.platform, platform),
        isNotNull(campaignPlatforms.rewardPoolId),
      ),
    )
    .where(
      and(
        eq(campaigns.appId, ctx.app.id),
        eq(campaigns.type, "referral"),
        inArray(campaigns.status, ["active", "paused"]),
      ),
    )
    .orderBy(
      sql`${campaigns.status} = 'active' desc, greatest(${campaigns.activatedAt}, ${campaigns.resumedAt}) desc`,
    )
    .limit(1);
  return campaign?.id ?? fail("CONFLICT", "No running campaign has reward codes for this platform");
}
