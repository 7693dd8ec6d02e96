import type { ReferrerResponse } from "@/lib/contract/referrer";
import type { AppRef } from "@/lib/tenants/context";
import { referralLink } from "@/lib/tenants/domains/link";

type Status = ReferrerResponse["status"];
type Progress = ReferrerResponse["progress"]["ios"];

/** Counts of one platform in the current campaign. */
interface PlatformCount {
  confirmed: number;
  /** By referrals, without the rewards that reversals withdrew. */
  earned: number;
  threshold: number;
  /** Rewards that one referrer can earn here; null for no limit. */
  cap: number | null;
}

/** The result of `get_referrer` and `create_referrer`. */
export interface StoredReferrer {
  verdict: "OK";
  referrer_id: string;
  slug: string;
  status: Status;
  campaign_type: "referral" | "influencer" | null;
  campaign_status: Status | "draft" | null;
  confirmed: number;
  earned: number;
  claimed: number;
  /** Earned rewards that a member withdrew. */
  withdrawn: number;
  /** Confirmed referrals that do not count yet. */
  held: number;
  /** Rewards that wait for codes. */
  waiting: number;
  progress: { ios?: PlatformCount; android?: PlatformCount };
}

/** A referrer as the API shows it (section 4.1). */
export function toReferrerResponse(app: AppRef, referrer: StoredReferrer): ReferrerResponse {
  const platform = referrer.campaign_type === "influencer" ? countOnly : progressOf;
  return {
    referrer_id: referrer.referrer_id,
    referral_link: referralLink(app.landingDomain, referrer.slug),
    referrer_slug: referrer.slug,
    metacode: referrer.slug,
    status: effectiveStatus(referrer),
    stats: {
      referrals_count: referrer.confirmed,
      rewards_earned: referrer.earned,
      rewards_available: referrer.earned - referrer.claimed - referrer.withdrawn,
      ...(referrer.held > 0 && { referrals_held: referrer.held }),
      ...(referrer.waiting > 0 && { rewards_waiting: referrer.waiting }),
    },
    progress: { ios: platform(referrer.progress.ios), android: platform(referrer.progress.android) },
  };
}

/** The referrer's own status or the campaign's, the more restrictive of the two. */
function effectiveStatus({ status, campaign_status }: StoredReferrer): Status {
  if (status === "ended" || campaign_status === "ended") return "ended";
  return status === "paused" || campaign_status === "paused" ? "paused" : "active";
}

const NO_PROGRESS: Progress = { current: 0, threshold: 0, next_reward_at: 0, percentage: 0 };

/**
 * Section 2.3. The next reward comes at (rewards earned + 1) times the threshold; the percentage runs from the last
 * reward to the next: 3 of 5 is 60%, 5 of 5 is 0% with the next at 10. After reversals it is 0% below the last
 * reward. After a lowered threshold the next confirmation earns a reward. At the cap it stays at 100% of the last one.
 */
export function progressOf(count: PlatformCount | undefined): Progress {
  if (!count) return NO_PROGRESS;
  const { confirmed, earned, threshold, cap } = count;
  const last = earned * threshold;
  if (cap !== null && earned >= cap) {
    return { current: confirmed, threshold, next_reward_at: last, percentage: 100 };
  }
  const next = Math.max(last + threshold, confirmed + 1);
  const percentage = Math.max(0, Math.floor(((confirmed - last) * 100) / (next - last)));
  return { current: confirmed, threshold, next_reward_at: next, percentage };
}

/** Influencers have no automatic rewards: referrals are counted, but there is no next reward. */
function countOnly(count: PlatformCount | undefined): Progress {
  return { ...NO_PROGRESS, current: count?.confirmed ?? 0 };
}
