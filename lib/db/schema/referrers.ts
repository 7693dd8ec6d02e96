import { jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

/** A user of the app who may invite. */
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
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "referrers_pkey", columns: [t.appId, t.id] }),
    // get_referrer, claim_rewards: one referrer a user.
    uniqueIndex("referrers_uid").on(t.appId, t.uid),
    // redeem_metacode.
    uniqueIndex("referrers_slug").on(t.appId, t.slug),
  ],
);
