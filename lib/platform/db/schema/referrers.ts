import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt, timestampTz } from "./columns";

/** An end user of the app who can invite others. */
export const referrers = pgTable(
  "referrers",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    uid: bytesText("uid").notNull(),
    /** The metacode. */
    slug: bytesText("slug").notNull(),
    status: text("status", { enum: ["active", "paused", "ended"] })
      .notNull()
      .default("active"),
    metadata: jsonb("metadata").$type<Record<string, unknown>>(),
    /** Set for an influencer; null follows the app's current referral campaign. */
    campaignId: uuid("campaign_id"),
    /** The owner's notes about an influencer. */
    notes: text("notes"),
    /** Confirmed referrals over all campaigns, added up by the roll-up, for the order of lists; in no API answer. */
    confirmed: integer("confirmed").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "referrers_pkey", columns: [t.appId, t.id] }),
    // get_referrer, claim_rewards: one referrer per end user.
    uniqueIndex("referrers_uid").on(t.appId, t.uid),
    // The dashboard's search by the beginning of a name. Truncated, because an index entry holds 2,704 bytes and a name
    // may be longer.
    index("referrers_name")
      .on(
        t.appId,
        sql`"left"(lower(COALESCE(metadata ->> 'name'::text, metadata ->> 'display_name'::text)), 80) COLLATE "C"`,
        t.id,
      )
      .where(sql`metadata ?| '{name,display_name}'::text[]`),
    // The dashboard's list of inactive referrers: few among many.
    index("referrers_inactive").on(t.appId, t.id).where(sql`status <> 'active'`),
    // The dashboard's list of an influencer campaign.
    index("referrers_campaign").on(t.appId, t.campaignId, t.id).where(sql`campaign_id is not null`),
    // The dashboard's lists by confirmed referrals, of the app and of an influencer campaign.
    index("referrers_best").on(t.appId, t.confirmed, t.id).where(sql`confirmed > 0`),
    index("referrers_campaign_best")
      .on(t.appId, t.campaignId, t.confirmed, t.id)
      .where(sql`campaign_id is not null`),
    // redeem_metacode.
    uniqueIndex("referrers_slug").on(t.appId, t.slug),
  ],
);

/**
 * The owner of each metacode, over all apps. Uniqueness lives here and not on `referrers`, because a table sharded by
 * app cannot enforce it. The landing page, which has no key, finds the app through it.
 */
export const slugDirectory = pgTable(
  "slug_directory",
  {
    slug: bytesText("slug").primaryKey(),
    appId: uuid("app_id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // The sweep of reservations older than a day without a referrer.
    index("slug_directory_created").on(t.createdAt),
  ],
);

/** Counts of one referrer in one campaign and platform; its row lock orders confirmations, so no reward is lost. */
export const referrerProgress = pgTable(
  "referrer_progress",
  {
    appId: appId(),
    referrerId: uuid("referrer_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    /** Confirmed, not reversed and not held. */
    confirmed: integer("confirmed").notNull().default(0),
    held: integer("held").notNull().default(0),
    /** Rewards earned, including those of goodwill and those withdrawn since; never falls. */
    earned: integer("earned").notNull().default(0),
    claimed: integer("claimed").notNull().default(0),
    withdrawn: integer("withdrawn").notNull().default(0),
    /** Granted by a member on top of those that referrals earn. */
    goodwill: integer("goodwill").notNull().default(0),
  },
  (t) => [
    primaryKey({
      name: "referrer_progress_pkey",
      columns: [t.appId, t.referrerId, t.campaignId, t.platform],
    }),
  ],
);

/** Rewards earned by referrers. The unique index is the rule that a reward number is earned at most once. */
export const rewards = pgTable(
  "rewards",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    rewardNumber: integer("reward_number").notNull(),
    status: text("status", { enum: ["earned", "claimed", "withdrawn"] })
      .notNull()
      .default("earned"),
    createdAt: createdAt(),
    claimedAt: timestampTz("claimed_at"),
    /** The referral whose reversal withdrew it, or that gave it back. */
    withdrawnWith: uuid("withdrawn_with"),
    /** The reason why the last claim found no code for it (`wait_reason`); null before a claim and once it is claimed. */
    waitsFor: text("waits_for", { enum: ["no_pool", "no_codes", "quarantined", "same_offer", "budget"] }),
    /** The claim's platform, if rewards are on the referrer's, and the time of the first claim with this reason. */
    waitsOn: text("waits_on", { enum: ["ios", "android"] }),
    waitsSince: timestampTz("waits_since"),
  },
  (t) => [
    primaryKey({ name: "rewards_pkey", columns: [t.appId, t.id] }),
    uniqueIndex("rewards_number").on(t.appId, t.referrerId, t.campaignId, t.platform, t.rewardNumber),
    // claim_rewards.
    index("rewards_referrer").on(t.appId, t.referrerId, t.status),
    // The refill: the rewards of a campaign that wait for another offer.
    index("rewards_waiting").on(t.appId, t.campaignId, t.waitsOn).where(sql`waits_for = 'same_offer'`),
    // The round that follows changes: rewards that began to wait.
    index("rewards_waits_since").on(t.waitsSince).where(sql`waits_since is not null`),
  ],
);
