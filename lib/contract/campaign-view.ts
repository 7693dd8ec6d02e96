import { z } from "zod";
import type { campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import type { CAMPAIGN_RULES, PLATFORM_RULES } from "./campaign-rules";
import { listCursor, type Platform } from "./fields";
import type { PoolOption } from "./pool";
import type { RedeemResponse } from "./redeem";

/** Unfinished business of a campaign, shown before it is paused or ended. */
export interface Outlook {
  /** Referrers with open progress, or influencers of the campaign; `more`: only the first 10,000 were read. */
  referrers: number;
  more: boolean;
  /** Codes assigned and not yet confirmed. */
  openCodes: number;
  /** Rewards earned and not yet claimed. */
  unclaimed: number;
  /** Referees in line for a code, or with one set aside. */
  inLine: number;
}

/** Free codes of a campaign's pool, counted up to 1,001. */
export interface PoolReadiness {
  id: string;
  name: string;
  free: number;
}

export interface PlatformReadiness {
  platform: Platform;
  /** Whether the app has its store id; without it links lead nowhere. */
  storeId: boolean;
  referee: PoolReadiness | null;
  reward: PoolReadiness | null;
}

/** Whether a campaign has all that it needs to assign codes. */
export interface Readiness {
  platforms: PlatformReadiness[];
  /** Another referral campaign that is active: only one can be. */
  active: { id: string; name: string } | null;
}

/** The rules of a campaign on one platform, and the progress of granting rewards that became due when the rules changed. */
export type PlatformRulesView = Pick<
  typeof campaignPlatforms.$inferSelect,
  "platform" | "grantAfter" | "granted" | keyof typeof PLATFORM_RULES
>;

/** A campaign as its pages show it. */
export interface CampaignView
  extends Pick<
    typeof campaigns.$inferSelect,
    "id" | "type" | "status" | "activatedAt" | "spentCodes" | "spentRewards" | keyof typeof CAMPAIGN_RULES
  > {
  platforms: PlatformRulesView[];
}

/** The values that a form of a campaign begins with. */
export type CampaignDraft = Omit<
  CampaignView,
  "id" | "status" | "activatedAt" | "spentCodes" | "spentRewards"
>;

/** Rewards that changed rules would make due on a platform, and the codes for them. */
export interface DueRewards {
  platform: Platform;
  /** Referrers who would earn. */
  referrers: number;
  /** Rewards that would be granted: floor(confirmed / threshold) up to the cap, less those earned. */
  rewards: number;
  /** Unclaimed rewards from before the change, which need codes as well. */
  waiting: number;
  /** Free codes of the reward pool, counted up to one more than all platforms need; null without a pool. */
  free: number | null;
  /** With `referrer`, the referrer's own platform decides on the pool, so `free` counts the codes of all reward pools. */
  rewardsOn: (typeof campaigns.$inferSelect)["rewardsOn"];
  /** How many more rewards the campaign's budget pays, on all platforms; null without one. */
  budget: number | null;
}

/** The outcome of an update of a campaign's rules. */
export interface RulesUpdate {
  /** False when nothing was changed, because more rewards would become due than the sender agreed to. */
  saved: boolean;
  /** The rewards that the update makes due, by platform. */
  due: DueRewards[];
}

/** The API's response to a redeem with a sample code and the built-in instructions, for the preview beside the form. */
export type ExampleAnswers = Record<Platform, Record<PoolOption["kind"], RedeemResponse>>;

/** The order of the list of campaigns; newest first without it. */
export const campaignQuery = z.object({
  sort: z.enum(["assigned", "confirmed", "earned"]).optional().catch(undefined),
  cursor: listCursor,
});

export type CampaignQuery = z.output<typeof campaignQuery>;

/** The percentage from which a budget is almost used up, which is a problem. */
const BUDGET_LOW_PERCENT = 80;

/** How much of a budget is left. One that was lowered may have been exceeded. */
export function budgetState(spent: number, budget: number): "left" | "low" | "spent" {
  if (spent >= budget) return "spent";
  return spent * 100 >= budget * BUDGET_LOW_PERCENT ? "low" : "left";
}
