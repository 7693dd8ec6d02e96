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

/** What a campaign says for one platform. */
export interface PlatformView {
  platform: Platform;
  threshold: number;
  refereePoolId: string | null;
  rewardPoolId: string | null;
  instructions: string | null;
  rewardCap: number | null;
  /** Where granting after a change of the rules stands; null when nothing is left to grant. */
  grantAfter: string | null;
  granted: number;
}

/** A campaign as its pages show it. */
export interface CampaignView {
  id: string;
  type: "referral" | "influencer";
  name: string;
  status: "draft" | "active" | "paused" | "ended";
  startsAt: Date | null;
  endsAt: Date | null;
  activatedAt: Date | null;
  safetyMarginHours: number;
  confirmOn: "start" | "paid";
  confirmAnyRenewal: boolean;
  platforms: PlatformView[];
}

/** A pool that a campaign can draw from. */
export interface PoolChoice {
  id: string;
  name: string;
  platform: Platform;
  use: "referee" | "reward";
  free: number;
  /** Of the codes it gives next. */
  kind: "one_time" | "custom";
}

/** What an answer of the API is made of, for the preview beside the form. */
export interface SampleAnswer {
  platform: Platform;
  kind: PoolChoice["kind"];
  instructions: string | null;
}

export const PLATFORMS = ["ios", "android"] as const;

export const PLATFORM_NAME: Record<Platform, string> = { ios: "iOS", android: "Android" };
