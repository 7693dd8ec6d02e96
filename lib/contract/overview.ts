import { z } from "zod";
import { daysInOrder, listDay, type Platform, platformField, uuidField } from "./fields";
import type { PoolView } from "./pool";
import type { ProblemView } from "./problems";

export const RANGES = ["7d", "30d", "90d", "12m"] as const;
export type Range = (typeof RANGES)[number] | "custom";

/** The steps of the funnel in their order. */
export const STEPS = ["clicked", "assigned", "confirmed", "earned", "claimed"] as const;
export type Step = (typeof STEPS)[number];

/** The names of the steps on screens and in emails. */
export const STEP_NAMES: Record<Step, string> = {
  clicked: "Clicked",
  assigned: "Code assigned",
  confirmed: "Confirmed",
  earned: "Rewards earned",
  claimed: "Rewards claimed",
};

/** The filters of the overview, from an address bar. An invalid value counts as absent. */
export const overviewQuery = z
  .object({
    range: z.enum([...RANGES, "custom"]).catch("30d"),
    /** First and last day, UTC, of the range `custom`. */
    from: listDay,
    to: listDay,
    step: z.enum(STEPS).catch("confirmed"),
    campaign: uuidField("campaign").optional().catch(undefined),
    platform: platformField.optional().catch(undefined),
    /** The chart's numbers in a table below it. */
    table: z.literal("shown").optional().catch(undefined),
  })
  .transform(daysInOrder);

export type OverviewQuery = z.output<typeof overviewQuery>;

/** Figures of a period. `reversed`: refunds minus withdrawn ones, whenever the confirmation happened. */
export type Figures = Record<Step | "reversed", number>;

/** A day or a month of the trend, beside the matching one of the previous period. */
export interface TrendBucket {
  /** Its first day, `YYYY-MM-DD`, UTC. */
  start: string;
  now: Figures;
  before: Figures;
}

export interface Trend {
  unit: "day" | "month";
  /** First and last day, UTC. */
  from: string;
  until: string;
  /** Whether the last bucket contains today, so it is not over yet. */
  unfinished: boolean;
  buckets: TrendBucket[];
  now: Figures;
  before: Figures;
}

/** A start or an end of a campaign within the trend. */
export interface TrendNote {
  /** The bucket of the trend in which it was. */
  bucket: number;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  campaign: { id: string; name: string };
  what: "started" | "ended";
}

/** An event of the outbox, with the names of its ids. */
export interface ActivityItem {
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
  /** The name of the campaign or pool in the event. */
  name: string | null;
  percent: number | null;
}

/** Requests of a workspace's month. */
export interface Quota {
  used: number;
  limit: number;
  /** The start of the next month. */
  resetsAt: Date;
}

/** Everything that the overview of an app shows. */
export interface Overview {
  trend: Trend;
  pools: PoolView[];
  activity: ActivityItem[];
  problems: ProblemView[];
  campaigns: { id: string; name: string }[];
  notes: TrendNote[];
}
