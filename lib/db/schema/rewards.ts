import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** Rewards earned by referrers. Its unique index is the rule that a reward number is granted at most once. */
export const rewards = pgTable(
  "rewards",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    rewardNumber: integer("reward_number").notNull(),
    status: text("status", { enum: ["earned", "claimed"] })
      .notNull()
      .default("earned"),
    createdAt: createdAt(),
    claimedAt: moment("claimed_at"),
  },
  (t) => [
    primaryKey({ name: "rewards_pkey", columns: [t.appId, t.id] }),
    uniqueIndex("rewards_number").on(t.appId, t.referrerId, t.campaignId, t.platform, t.rewardNumber),
    // claim_rewards.
    index("rewards_referrer").on(t.appId, t.referrerId, t.status),
  ],
);
