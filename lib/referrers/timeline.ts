import { auditOfSubject } from "@/lib/audit/of-subject";
import type { Context } from "@/lib/context";
import type { ReferralRow } from "@/lib/contract/referral-list";
import type { ReferrerMoment, ReferrerView, RewardView } from "@/lib/contract/timeline";

/** What happened to a referrer, the newest first, as far as the given referrals and rewards reach. */
export async function referrerTimeline(
  ctx: Context,
  referrer: ReferrerView,
  given: { referrals: readonly ReferralRow[]; rewards: readonly RewardView[] },
): Promise<ReferrerMoment[]> {
  const moments: ReferrerMoment[] = [
    { kind: "created", at: referrer.createdAt },
    ...given.referrals.map((row) => ({
      ...{ kind: "referral" as const, row },
      at: row.reversedAt ?? row.confirmedAt ?? row.createdAt,
    })),
    ...given.rewards.flatMap((reward): ReferrerMoment[] => [
      { kind: "earned", at: reward.createdAt, reward },
      ...(reward.claimedAt ? [{ kind: "claimed" as const, at: reward.claimedAt, reward }] : []),
    ]),
    ...(await auditOfSubject(ctx, referrer.id)),
  ];
  return moments.sort((a, b) => b.at.getTime() - a.at.getTime());
}
