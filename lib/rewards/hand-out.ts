import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { ClaimResponse } from "@/lib/contract/claim";
import { fail } from "@/lib/errors";
import { auditSubject, lockReferrer } from "@/lib/referrers/lock";
import { type ClaimResult, claimAnswer } from "./claim";

/**
 * Claims an influencer's rewards in their place and returns the codes, for the owner to pass on: the same claim as by
 * the API, so no reward gives two. Throws NOT_FOUND, NO_REWARDS_AVAILABLE, NO_CODES_AVAILABLE, CONFLICT for a referrer
 * of no influencer campaign, whose codes are shown to nobody else.
 */
export async function handOutRewards(ctx: Context, referrerId: string): Promise<ClaimResponse> {
  return ctx.db.transaction(async (db) => {
    const referrer = await lockReferrer({ ...ctx, db }, referrerId);
    if (referrer.campaignId === null) fail("CONFLICT", "Users of the app claim their rewards in the app");
    const answer = claimAnswer(await db.call<ClaimResult>("claim_once", [ctx.app.id, referrer.uid]));
    await recordAudit(db, ctx, {
      action: "reward.handed_out",
      ...auditSubject(referrer),
      after: {
        rewards: answer.claimed_rewards.map(({ platform, reward_number }) => `${platform} ${reward_number}`),
      },
    });
    return answer;
  });
}
