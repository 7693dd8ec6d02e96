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
  },
  (t) => [primaryKey({ name: "campaign_platforms_pkey", columns: [t.appId, t.campaignId, t.platform] })],
);
