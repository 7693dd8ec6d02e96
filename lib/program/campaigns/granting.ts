import { isNotNull } from "drizzle-orm";
import type { PlatformRules } from "@/lib/contract/campaign";
import type { DueRewards } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { campaignPlatforms } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import type { Context } from "@/lib/tenants/context";
import type { Campaign } from "./read";
import { freeCodes } from "./readiness";

/** Rows of progress that one statement reads: tens of milliseconds, so that confirmations hardly wait. */
const CHUNK = 500;

/** Chunks that are granted before the response; those of a large app continue after it. */
const CHUNKS_BEFORE_ANSWER = 5;

type Rules = Partial<Record<Platform, PlatformRules | undefined>>;

/** Thresholds and caps by platform. */
type DueRules = Partial<Record<Platform, { threshold: number; cap: number | null }>>;

const DUE_REWARDS = sqlFunction("due_rewards", {
  app: "uuid",
  campaign: "uuid",
  rules: jsonb<DueRules>(),
}).returns<Omit<DueRewards, "free" | "rewardsOn" | "budget">[]>();

interface Step {
  granted: number;
  done: boolean;
}

export const GRANT_DUE = sqlFunction("grant_due", {
  app: "uuid",
  campaign: "uuid",
  platform: "text",
  limit: "int",
}).returns<Step>();

/** Platforms whose rule counts differently from the stored one: another threshold or cap, or a new platform. */
export function changedPlatforms(campaign: Campaign, rules: Rules): Rules {
  if (campaign.type !== "referral" || campaign.activatedAt === null) return {};
  const entries = PLATFORMS.flatMap((platform) => {
    const rule = rules[platform];
    const stored = campaign.platforms.find((row) => row.platform === platform);
    const same = stored && rule && stored.threshold === rule.threshold && stored.rewardCap === rule.rewardCap;
    return rule && !same ? [[platform, rule] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The rewards that parsed rules would make due, for platforms with any. Runs in the transaction of the update. */
export async function findDueRewards(ctx: Context, campaign: Campaign, rules: Rules, budget: number | null) {
  const changed = changedPlatforms(campaign, rules);
  if (Object.keys(changed).length === 0) return [];
  const dueRules = Object.fromEntries(
    Object.entries(changed).map(([on, rule]) => [on, { threshold: rule.threshold, cap: rule.rewardCap }]),
  );
  const counts = await ctx.db.call(DUE_REWARDS, { app: ctx.app.id, campaign: campaign.id, rules: dueRules });
  const enough = counts.reduce((sum, { rewards, waiting }) => sum + rewards + waiting, 1);
  const { rewardsOn, safetyMarginHours } = campaign;
  const due: DueRewards[] = [];
  for (const count of counts.filter(({ rewards }) => rewards > 0)) {
    const paying = rewardsOn === "referrer" ? Object.values(rules) : [changed[count.platform]];
    const pools = paying.flatMap((rule) => rule?.rewardPoolId ?? []);
    const free = pools[0] ? await freeCodes(ctx, pools, safetyMarginHours, enough) : null;
    due.push({ ...count, free, rewardsOn, budget });
  }
  return due;
}

/**
 * Grants the rewards that changed rules made due on a platform, a chunk at a time; returns how many, and whether
 * all are granted within `chunks`. If several processes call it, one works and the others return.
 */
export async function grantDue(
  db: Db,
  appId: string,
  campaignId: string,
  platform: Platform,
  chunks = Number.POSITIVE_INFINITY,
): Promise<Step> {
  let granted = 0;
  for (let run = 0; run < chunks; run++) {
    const step = await db.call(GRANT_DUE, { app: appId, campaign: campaignId, platform, limit: CHUNK });
    granted += step.granted;
    if (step.done) return { granted, done: true };
  }
  return { granted, done: false };
}

/** Grants what a saved update made due, where it started: the first chunks now, the rest after the response. */
export async function grantAfterUpdate(ctx: Context, campaignId: string): Promise<void> {
  for (const platform of PLATFORMS) {
    const { done } = await grantDue(ctx.db, ctx.app.id, campaignId, platform, CHUNKS_BEFORE_ANSWER);
    if (!done) grantInBackground(ctx.app.id, campaignId, platform);
  }
}

/** The sweep resumes granting that this process does not finish. */
function grantInBackground(appId: string, campaignId: string, platform: Platform): void {
  grantDue(database(), appId, campaignId, platform).catch((error: unknown) => {
    log().warn({ err: error, campaignId }, "granting rewards stopped; the next sweep resumes it");
  });
}

/**
 * Resumes granting that processes left unfinished, along campaign_platforms_granting; returns how many rewards it granted.
 * A campaign that fails holds back no other; the first failure is thrown at the end.
 */
export async function resumeGranting(db: Db): Promise<number> {
  const { appId, campaignId, platform, grantAfter } = campaignPlatforms;
  const query = db.orm.select({ appId, campaignId, platform }).from(campaignPlatforms);
  const failures: unknown[] = [];
  let granted = 0;
  for (const row of await query.where(isNotNull(grantAfter))) {
    const step = await grantDue(db, row.appId, row.campaignId, row.platform).catch((error: unknown) => {
      log().warn({ err: error, ...row }, "granting rewards stopped; the next sweep resumes it");
      failures.push(error);
    });
    granted += step?.granted ?? 0;
  }
  if (failures.length > 0) throw failures[0];
  return granted;
}
