import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { Platform } from "@/lib/contract/fields";
import { type GrantInput, grantInput } from "@/lib/contract/influencer";
import { campaignPlatforms, campaigns, referrerProgress, rewards } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { auditSubject, lockReferrer } from "@/lib/referrers/lock";

/**
 * Gives an influencer rewards by hand: the next numbers on that platform, each with its event. They are claimed by the
 * API or handed out here. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT for an ended influencer, for a referrer whose
 * rewards come by themselves, and beyond the campaign's cap.
 */
export async function grantRewards(ctx: Context, input: GrantInput): Promise<{ numbers: number[] }> {
  const { referrerId, platform, rewards: count, reason } = parseInput(grantInput, input);
  return ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db };
    const referrer = await lockReferrer(inside, referrerId);
    if (referrer.status === "ended") fail("CONFLICT", "This influencer has ended");
    const { campaignId, cap } = await handOutRule(inside, referrer.campaignId, platform);
    const earned = await raise(inside, { referrerId, campaignId, platform }, count);
    if (cap !== null && earned > cap) {
      const left = Math.max(0, cap - earned + count);
      fail("CONFLICT", `rewards must not exceed the campaign's cap of ${cap} a referrer: ${left} left`, {
        field: "rewards",
      });
    }
    const numbers = Array.from({ length: count }, (_, at) => earned - count + 1 + at);
    await insertRewards(inside, { referrerId, campaignId, platform }, numbers);
    await recordAudit(db, ctx, {
      action: "reward.granted",
      ...auditSubject(referrer),
      before: { platform, earned: earned - count },
      after: { platform, earned, reason },
    });
    return { numbers };
  });
}

interface Place {
  referrerId: string;
  campaignId: string;
  platform: Platform;
}

/** Where rewards come by themselves, one by hand would only take the place of the next one. */
async function handOutRule(ctx: Context, campaignId: string | null, platform: Platform) {
  const [found] = await ctx.db.orm
    .select({ type: campaigns.type, cap: campaignPlatforms.rewardCap, on: campaignPlatforms.platform })
    .from(campaigns)
    .leftJoin(
      campaignPlatforms,
      and(
        eq(campaignPlatforms.appId, campaigns.appId),
        eq(campaignPlatforms.campaignId, campaigns.id),
        eq(campaignPlatforms.platform, platform),
      ),
    )
    .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, campaignId ?? sql`null`)));
  if (found?.type !== "influencer" || !campaignId) {
    return fail("CONFLICT", "Rewards are handed out in influencer campaigns only");
  }
  if (!found.on) fail("VALIDATION_ERROR", "platform must be one of the campaign's", { field: "platform" });
  return { campaignId, cap: found.cap };
}

async function raise(ctx: Context, place: Place, count: number): Promise<number> {
  const { appId, referrerId, campaignId, platform, earned } = referrerProgress;
  const [row] = await ctx.db.orm
    .insert(referrerProgress)
    .values({ appId: ctx.app.id, ...place, earned: count })
    .onConflictDoUpdate({
      target: [appId, referrerId, campaignId, platform],
      set: { earned: sql`${earned} + ${count}` },
    })
    .returning({ earned });
  return row?.earned ?? fail("INTERNAL_ERROR");
}

async function insertRewards(ctx: Context, place: Place, numbers: number[]): Promise<void> {
  const rows = numbers.map((rewardNumber) => ({ appId: ctx.app.id, id: uuidv7(), ...place, rewardNumber }));
  await ctx.db.orm.insert(rewards).values(rows);
  for (const rewardNumber of numbers) {
    await ctx.db.call("emit", [
      ctx.app.id,
      "reward.earned",
      {
        ...{ referrer_id: place.referrerId, campaign_id: place.campaignId },
        ...{ platform: place.platform, reward_number: rewardNumber },
      },
    ]);
  }
}
