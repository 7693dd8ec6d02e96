import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import type { ClaimResponse } from "@/lib/contract/claim";
import { nameField, type Platform, uuidField } from "@/lib/contract/fields";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { type GrantInput, grantInput } from "@/lib/contract/influencer";
import { sqlFunction } from "@/lib/platform/db/calls";
import { campaignPlatforms, campaigns, referrerProgress, rewards } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { lockReferrer, referrerSubject } from "@/lib/program/referrers/record";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { emitEvent } from "@/lib/tenants/events/emit";
import { type ClaimResult, claimAnswer } from "./claim";

/**
 * Grants an influencer rewards by hand: the next numbers on a platform, each with its event. The API or the owner claims
 * them. Throws VALIDATION_ERROR, NOT_FOUND, and CONFLICT for an ended influencer, for a referrer with automatic rewards,
 * over the campaign's cap, and if a colleague has granted some since the form was opened, probably the same.
 */
export async function grantRewards(ctx: Context, input: GrantInput): Promise<{ numbers: number[] }> {
  const { referrerId, platform, rewards: count, reason } = parseInput(grantInput, input);
  return ctx.db.transaction(async (db) => {
    const inTransaction = { ...ctx, db };
    const referrer = await lockReferrer(inTransaction, referrerId);
    if (referrer.status === "ended") fail("CONFLICT", "This influencer has ended");
    const before = await countRewards(inTransaction, referrerId, "earned");
    await refuseUndoing(inTransaction, referrerId, { earned: before }, { earned: before + count });
    const { campaignId, cap } = await influencerRule(inTransaction, referrer.campaignId, platform);
    const earned = await raiseEarned(inTransaction, { referrerId, campaignId, platform }, count);
    if (cap !== null && earned > cap) {
      const left = Math.max(0, cap - earned + count);
      fail("CONFLICT", `rewards must not exceed the campaign's cap of ${cap} per referrer: ${left} left`, {
        field: "rewards",
      });
    }
    const numbers = Array.from({ length: count }, (_, at) => earned - count + 1 + at);
    await insertRewards(inTransaction, { referrerId, campaignId, platform }, numbers);
    await recordAudit(db, ctx, {
      action: "reward.granted",
      ...referrerSubject(referrer),
      before: { platform, earned: earned - count },
      after: { platform, earned, reason },
    });
    return { numbers };
  });
}

const CLAIM_ONCE = sqlFunction("claim_once", {
  app: "uuid",
  uid: "text",
  platform: "text?",
  pseudonym: "text?",
}).returns<ClaimResult>();

/**
 * Claims an influencer's rewards and returns the codes for the owner to pass on. It is the same claim as through
 * the API, so a reward never yields two codes. Throws NOT_FOUND, NO_REWARDS_AVAILABLE, NO_CODES_AVAILABLE, CONFLICT
 * for users of the app, who claim for themselves, and for an erased influencer.
 */
export async function claimForInfluencer(ctx: Context, referrerId: string): Promise<ClaimResponse> {
  const result = await ctx.db.transaction(async (db) => {
    const referrer = await lockReferrer({ ...ctx, db }, referrerId);
    if (referrer.campaignId === null) fail("CONFLICT", "Users of the app claim their rewards in the app");
    if (referrer.status === "ended" && referrer.uid.startsWith("erased:")) {
      fail("CONFLICT", "This influencer was erased, and unclaimed rewards are lost");
    }
    const { id: app } = ctx.app;
    const { uid } = referrer;
    const claim = await db.call(CLAIM_ONCE, { app, uid, platform: null, pseudonym: pseudonymIn(app, uid) });
    if (claim.verdict === "OK") {
      await recordAudit(db, ctx, {
        action: "reward.handed_out",
        ...referrerSubject(referrer),
        after: {
          rewards: claim.claimed.map(({ platform, reward_number }) => `${platform} ${reward_number}`),
        },
      });
    }
    return claim;
  });
  // After the commit: a refusal stores why rewards wait, and the refill decides by that.
  return claimAnswer(result, ctx.app.name);
}

export const rewardInput = z.object({ rewardId: uuidField("rewardId"), reason: nameField("reason") });

/** A reward that was withdrawn or restored. */
export interface ChangedReward {
  id: string;
  platform: Platform;
  reward_number: number;
}

const CHANGE_WITHDRAWAL = sqlFunction("change_withdrawal", {
  app: "uuid",
  reward: "uuid",
  kind: "text",
  referral: "uuid?",
}).returns<ChangedReward | null>();

/**
 * Withdraws a reward that was earned and not claimed, for example through made-up friends: it stays earned, and no claim
 * finds it. Throws NOT_FOUND, CONFLICT.
 */
export async function withdrawReward(ctx: Context, input: z.input<typeof rewardInput>): Promise<void> {
  await updateWithdrawal(ctx, "withdraw", input);
}

/** Restores a withdrawn reward, so that it can be claimed. Throws NOT_FOUND, CONFLICT. */
export async function restoreReward(ctx: Context, input: z.input<typeof rewardInput>): Promise<void> {
  await updateWithdrawal(ctx, "restore", input);
}

async function updateWithdrawal(
  ctx: Context,
  kind: "withdraw" | "restore",
  input: z.input<typeof rewardInput>,
) {
  const { rewardId: id, reason } = parseInput(rewardInput, input);
  await ctx.db.transaction(async (db) => {
    const sameReward = and(eq(rewards.appId, ctx.app.id), eq(rewards.id, id));
    const [found] = await db.orm.select({ of: rewards.referrerId }).from(rewards).where(sameReward);
    if (!found) return fail("NOT_FOUND", "There is no such reward");
    await lockReferrer({ ...ctx, db }, found.of);
    const changed = await db.call(CHANGE_WITHDRAWAL, { app: ctx.app.id, reward: id, kind, referral: null });
    if (!changed) {
      const state = kind === "withdraw" ? "already claimed or withdrawn" : "not withdrawn";
      return fail("CONFLICT", `This reward is ${state}`);
    }
    await recordWithdrawal({ ...ctx, db }, kind, changed, { reason });
  });
}

/** The audit entry of a reward that was withdrawn or restored. */
export async function recordWithdrawal(
  ctx: Context,
  kind: "withdraw" | "reverse" | "restore",
  { id, platform, reward_number: number }: ChangedReward,
  after: { reason: string; referralId?: string },
): Promise<void> {
  await recordAudit(ctx.db, ctx, {
    action: kind === "restore" ? "reward.restored" : "reward.withdrawn",
    subject: "reward",
    subjectId: id,
    subjectName: `${PLATFORM_NAME[platform]} ${number}`,
    after,
  });
}

interface ProgressKey {
  referrerId: string;
  campaignId: string;
  platform: Platform;
}

/** The rule of an influencer campaign. With automatic rewards, one by hand would only take the number of the next. */
async function influencerRule(ctx: Context, campaignId: string | null, platform: Platform) {
  const [rule] = await ctx.db.orm
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
  if (rule?.type !== "influencer" || !campaignId) {
    return fail("CONFLICT", "Rewards can be granted by hand in influencer campaigns only");
  }
  if (!rule.on) fail("VALIDATION_ERROR", "platform must be one of the campaign's", { field: "platform" });
  return { campaignId, cap: rule.cap };
}

/** The rewards that a referrer has earned, or those of goodwill among them, withdrawn ones included. */
export async function countRewards(
  ctx: Context,
  referrerId: string,
  kind: "earned" | "goodwill",
): Promise<number> {
  const [row] = await ctx.db.orm
    .select({ count: sql<number>`coalesce(sum(${referrerProgress[kind]}), 0)::int` })
    .from(referrerProgress)
    .where(and(eq(referrerProgress.appId, ctx.app.id), eq(referrerProgress.referrerId, referrerId)));
  return row?.count ?? 0;
}

/** Adds to the rewards earned and returns their number; `goodwill` ones come on top of those that referrals earn. */
export async function raiseEarned(
  ctx: Context,
  key: ProgressKey,
  count: number,
  goodwillCount = 0,
): Promise<number> {
  const { appId, referrerId, campaignId, platform, earned, goodwill } = referrerProgress;
  const [row] = await ctx.db.orm
    .insert(referrerProgress)
    .values({ appId: ctx.app.id, ...key, earned: count, goodwill: goodwillCount })
    .onConflictDoUpdate({
      target: [appId, referrerId, campaignId, platform],
      set: { earned: sql`${earned} + ${count}`, goodwill: sql`${goodwill} + ${goodwillCount}` },
    })
    .returning({ earned });
  return row?.earned ?? fail("INTERNAL_ERROR");
}

/** Stores rewards with these numbers, each with its event. */
export async function insertRewards(ctx: Context, key: ProgressKey, numbers: number[]): Promise<void> {
  const rows = numbers.map((rewardNumber) => ({ appId: ctx.app.id, id: uuidv7(), ...key, rewardNumber }));
  await ctx.db.orm.insert(rewards).values(rows);
  for (const { id, rewardNumber } of rows) {
    await emitEvent(ctx, "reward.earned", {
      reward_id: id,
      referrer_id: key.referrerId,
      campaign_id: key.campaignId,
      platform: key.platform,
      reward_number: rewardNumber,
    });
  }
}
