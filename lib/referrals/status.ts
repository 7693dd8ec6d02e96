import type { ReferralStatus } from "@/lib/contract/referral-list";
import type { referrals } from "@/lib/db/schema";

export type Referral = typeof referrals.$inferSelect;

/** A referral's place in its lifecycle as people are shown it: a reversed one is no longer `redeemed`. */
export function statusOf({ status, reversedAt }: Referral): ReferralStatus {
  return reversedAt ? "reversed" : status;
}
