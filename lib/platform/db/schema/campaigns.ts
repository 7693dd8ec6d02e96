import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** A referral program with dates and rules. */
export const campaigns = pgTable(
  "campaigns",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    /** `referral`: thresholds and automatic rewards, one active per app. `influencer`: several, rewards by hand. */
    type: text("type", { enum: ["referral", "influencer"] }).notNull(),
    name: text("name").notNull(),
    status: text("status", { enum: ["draft", "active", "paused", "ended"] }).notNull(),
    startsAt: timestampTz("starts_at"),
    endsAt: timestampTz("ends_at"),
    activatedAt: timestampTz("activated_at"),
    /** The time of the last resume. An app's current campaign is the one that was activated or resumed last. */
    resumedAt: timestampTz("resumed_at"),
    /** Codes of a batch that expires within this many hours are not assigned. */
    safetyMarginHours: integer("safety_margin_hours").notNull().default(24),
    /** `start`: the first store event confirms. `paid`: only a paid event does. */
    confirmOn: text("confirm_on", { enum: ["start", "paid"] })
      .notNull()
      .default("start"),
    /** Lets a plain renewal confirm, which is open to fraud: the subscription may be older than the code. */
    confirmAnyRenewal: boolean("confirm_any_renewal").notNull().default(false),
    /** The platform of a reward's code: that of the friend who earned it, or the referrer's where it is known. */
    rewardsOn: text("rewards_on", { enum: ["friend", "referrer"] })
      .notNull()
      .default("friend"),
    /** Days for which a confirmed referral does not count yet, so that a refund comes before its reward; 0 = off. */
    holdDays: integer("hold_days").notNull().default(0),
    /** Refuses the metacode of a referrer whom the referee has referred. */
    refuseReciprocal: boolean("refuse_reciprocal").notNull().default(false),
    /** The most codes that are assigned to referees, and the most rewards that are claimed; null for no limit. */
    codeBudget: integer("code_budget"),
    rewardBudget: integer("reward_budget"),
    /** The spent part of the two budgets, counted while one is set. Its row lock orders redeems and claims. */
    spentCodes: integer("spent_codes").notNull().default(0),
    spentRewards: integer("spent_rewards").notNull().default(0),
    /** The time of another count of both: redeems and claims that began before the budget have ended by then. */
    recountAt: timestampTz("recount_at"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "campaigns_pkey", columns: [t.appId, t.id] }),
    // Decides the race of two activations.
    uniqueIndex("campaigns_one_active_referral")
      .on(t.appId)
      .where(sql`type = 'referral' and status = 'active'`),
    // The round that ends campaigns: those that are due, over all apps.
    index("campaigns_ends").on(t.endsAt).where(sql`status in ('active', 'paused') and ends_at is not null`),
    // The current campaign of a referrer without a campaign of their own.
    index("campaigns_current")
      .on(t.appId, t.activatedAt)
      .where(sql`type = 'referral' and activated_at is not null`),
  ],
);

/** The rules of a campaign on one platform. Without a row it does not run there. */
export const campaignPlatforms = pgTable(
  "campaign_platforms",
  {
    appId: appId(),
    campaignId: uuid("campaign_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    /** Confirmed referrals for one reward, 1 to 10,000. */
    threshold: integer("threshold").notNull(),
    refereePoolId: uuid("referee_pool_id"),
    rewardPoolId: uuid("reward_pool_id"),
    /** Shown with a code in place of the built-in text. */
    instructions: text("instructions"),
    /** Maximum rewards per referrer on this platform. */
    rewardCap: integer("reward_cap"),
    /** Whether codes have been set aside for referees in line: a redeem then looks for its own first. */
    hasLine: boolean("has_line").notNull().default(false),
    /** The last referrer examined while rewards that new rules made due are granted; null when none are left. */
    grantAfter: uuid("grant_after"),
    /** Rewards granted in this way since the rules changed. */
    granted: integer("granted").notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "campaign_platforms_pkey", columns: [t.appId, t.campaignId, t.platform] }),
    // The sweep: rewards that are granted in parts.
    index("campaign_platforms_granting").on(t.appId).where(sql`grant_after is not null`),
  ],
);
