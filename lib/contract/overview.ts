import { z } from "zod";
import { type Platform, platformField } from "./fields";
import { uuidField } from "./uuid";

export const RANGES = ["7d", "30d", "90d", "12m"] as const;
export type Range = (typeof RANGES)[number];

/** The steps of the funnel in their order. */
export const STEPS = ["clicked", "assigned", "confirmed", "earned", "claimed"] as const;
export type Step = (typeof STEPS)[number];

/** What the address of the overview says; what it says wrongly counts as not said. */
export const overviewQuery = z.object({
  range: z.enum(RANGES).catch("30d"),
  step: z.enum(STEPS).catch("confirmed"),
  campaign: uuidField("campaign").optional().catch(undefined),
  platform: platformField.optional().catch(undefined),
});

export type OverviewQuery = z.output<typeof overviewQuery>;

/** Figures of a span of time. `reversed`: refunds less those taken back, of whatever was confirmed before. */
export type Figures = Record<Step | "reversed", number>;

/** A day, or with months a month, and the one at the same place in the span before. */
export interface Bucket {
  /** Its first day, `YYYY-MM-DD`, UTC. */
  start: string;
  now: Figures;
  before: Figures;
}

export interface Trend {
  unit: "day" | "month";
  /** First and last day, UTC; the last is today. */
  from: string;
  until: string;
  buckets: Bucket[];
  now: Figures;
  before: Figures;
}

/** Something that happened, in the words of the outbox, with names for ids. */
export interface Happening {
  id: string;
  at: Date;
  type: string;
  referrerId: string | null;
  /** The referrer's name, or uid. */
  referrer: string | null;
  referralId: string | null;
  refereeUid: string | null;
  platform: Platform | null;
  rewardNumber: number | null;
  campaignId: string | null;
  poolId: string | null;
  /** What the event calls its subject: a campaign's or a pool's name. */
  name: string | null;
  percent: number | null;
}

/** Something to be mended. */
export type Attention =
  | { kind: "pool_empty" | "pool_low"; id: string; name: string; free: number; daysLeft: number | null }
  | { kind: "batch_expiring"; id: string; name: string; free: number; at: Date }
  | { kind: "no_pool"; id: string; name: string; platform: Platform; use: "referee" | "reward" }
  | { kind: "provider_never" | "provider_refused"; id: string; name: string }
  | { kind: "provider_silent"; id: string; name: string; at: Date }
  | { kind: "unmatched"; id: string; count: number; more: boolean }
  | { kind: "webhook_failing"; id: string; name: string; failed: number }
  | { kind: "domain_lost"; id: string; name: string; at: Date }
  | { kind: "key_unused"; id: string; name: string };

/** Requests of a workspace's month. */
export interface Quota {
  used: number;
  limit: number;
  /** When the next month begins. */
  resetsAt: Date;
}

/** A pool as its card shows it. */
export interface PoolCard {
  id: string;
  name: string;
  platform: Platform;
  use: "referee" | "reward";
  size: number;
  given: number;
  free: number;
  quarantined: number;
  expired: number;
  lowStock: number;
  nextExpiry: { at: Date; codes: number } | null;
  perDay: number;
  daysLeft: number | null;
}

/** Everything that the overview of an app shows. */
export interface Overview {
  trend: Trend;
  pools: PoolCard[];
  quota: Quota;
  activity: Happening[];
  attention: Attention[];
  campaigns: { id: string; name: string }[];
}
