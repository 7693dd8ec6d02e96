import type { ReferrerResponse } from "@/lib/contract/referrer";

/** Counts of one platform in the current campaign. */
export interface PlatformCount {
  confirmed: number;
  earned: number;
  threshold: number;
  /** Rewards one referrer can earn here; null is no end. */
  cap: number | null;
}

type Progress = ReferrerResponse["progress"]["ios"];

const NOTHING: Progress = { current: 0, threshold: 0, next_reward_at: 0, percentage: 0 };

/**
 * Section 2.3. The next reward comes at (rewards earned + 1) times the threshold, and the percentage runs from the
 * last one to it: 3 of 5 is 60 %, 5 of 5 is 0 % with the next at 10. Reversals can lead below the last reward: 0 %.
 * Under a threshold that was lowered the next confirmation brings it. At the cap the last reward is the end: 100 %.
 */
export function progressOf(count: PlatformCount | undefined): Progress {
  if (!count) return NOTHING;
  const { confirmed, earned, threshold, cap } = count;
  const last = earned * threshold;
  if (cap !== null && earned >= cap) {
    return { current: confirmed, threshold, next_reward_at: last, percentage: 100 };
  }
  const next = Math.max(last + threshold, confirmed + 1);
  const percentage = Math.max(0, Math.floor(((confirmed - last) / (next - last)) * 100));
  return { current: confirmed, threshold, next_reward_at: next, percentage };
}

/** No automatic rewards: referrals are counted, but nothing is on the way. */
export function countOnly(count: PlatformCount | undefined): Progress {
  return { ...NOTHING, current: count?.confirmed ?? 0 };
}
