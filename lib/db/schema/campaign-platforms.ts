import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** What a campaign says for one platform. No row: the campaign does not run there. */
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
    /** Shown with a code in place of the built-in words. */
    instructions: text("instructions"),
    /** Rewards one referrer can earn here at the most. */
    rewardCap: integer("reward_cap"),
    /** The last referrer looked at while rewards that new rules made due are granted; null when nothing is left to do. */
    grantAfter: uuid("grant_after"),
    /** Rewards granted so since the rules changed. */
    granted: integer("granted").notNull().default(0),
  },
  (t) => [primaryKey({ name: "campaign_platforms_pkey", columns: [t.appId, t.campaignId, t.platform] })],
);
