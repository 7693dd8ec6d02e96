import type { Platform } from "./fields";

/** What a campaign leaves open, for the words before it is paused or ended. */
export interface Outlook {
  /** Referrers on the way to their next reward, or influencers of the campaign; `more`: only the first 10,000 were looked at. */
  people: number;
  more: boolean;
  /** Codes assigned and not yet confirmed. */
  openCodes: number;
  /** Rewards earned and not yet claimed. */
  unclaimed: number;
}

/** Free codes of a campaign's pool, counted up to 1,001. */
export interface PoolReadiness {
  id: string;
  name: string;
  free: number;
}

export interface PlatformReadiness {
  platform: Platform;
  /** Whether the app has the store id without which links lead nowhere. */
  storeId: boolean;
  referee: PoolReadiness | null;
  reward: PoolReadiness | null;
}

/** What stands between a campaign and its referees. */
export interface Readiness {
  platforms: PlatformReadiness[];
  /** Another referral campaign that is active: only one can be. */
  active: { id: string; name: string } | null;
}
