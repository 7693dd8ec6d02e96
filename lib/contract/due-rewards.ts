import type { Platform } from "./fields";

/** What other rules would make due on a platform, and what there is to give. */
export interface DueRewards {
  platform: Platform;
  /** Referrers who would earn. */
  referrers: number;
  /** Rewards that would be granted: floor(confirmed / threshold) up to the cap, less those earned. */
  rewards: number;
  /** Rewards earned before and not yet claimed: they need codes as well. */
  waiting: number;
  /** Free codes of the reward pool, counted no further than one more than needed; null without a pool. */
  free: number | null;
}
