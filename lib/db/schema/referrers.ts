import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
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
    /** The owner's own words about an influencer. */
    notes: text("notes"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "referrers_pkey", columns: [t.appId, t.id] }),
    // get_referrer, claim_rewards: one referrer a user.
    uniqueIndex("referrers_uid").on(t.appId, t.uid),
    // The dashboard's search by the beginning of a name. Cut, because an index entry holds 2,704 bytes and a name
    // may be longer.
    index("referrers_name")
      .on(
        t.appId,
        sql`"left"(lower(COALESCE(metadata ->> 'name'::text, metadata ->> 'display_name'::text)), 80) COLLATE "C"`,
        t.id,
      )
      .where(sql`metadata ?| '{name,display_name}'::text[]`),
    // The dashboard's list of those who are not active: few among many.
    index("referrers_inactive").on(t.appId, t.id).where(sql`status <> 'active'`),
    // The dashboard's list of an influencer campaign.
    index("referrers_campaign").on(t.appId, t.campaignId, t.id).where(sql`campaign_id is not null`),
    // redeem_metacode.
    uniqueIndex("referrers_slug").on(t.appId, t.slug),
  ],
);
