import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** Counts of one referrer in one campaign and platform; its row lock orders confirmations, so no reward is lost. */
export const referrerProgress = pgTable(
  "referrer_progress",
  {
    appId: appId(),
    referrerId: uuid("referrer_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    /** Confirmed and not reversed. */
    confirmed: integer("confirmed").notNull().default(0),
    /** Rewards earned; never falls. */
    earned: integer("earned").notNull().default(0),
    claimed: integer("claimed").notNull().default(0),
  },
  (t) => [
    primaryKey({
      name: "referrer_progress_pkey",
      columns: [t.appId, t.referrerId, t.campaignId, t.platform],
    }),
  ],
);
