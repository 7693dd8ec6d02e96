import { bigint, date, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** The funnel by day (UTC), campaign and platform, added up from the outbox by the roll-up; never on a request. */
export const dailyStats = pgTable(
  "daily_stats",
  {
    appId: appId(),
    day: date("day", { mode: "string" }).notNull(),
    /** Nil where no campaign is known, as for a click before a campaign runs. */
    campaignId: uuid("campaign_id").notNull(),
    /** `any` for clicks, which come before the platform is known. */
    platform: text("platform", { enum: ["ios", "android", "any"] }).notNull(),
    clicked: bigint("clicked", { mode: "number" }).notNull().default(0),
    assigned: bigint("assigned", { mode: "number" }).notNull().default(0),
    confirmed: bigint("confirmed", { mode: "number" }).notNull().default(0),
    reversed: bigint("reversed", { mode: "number" }).notNull().default(0),
    earned: bigint("earned", { mode: "number" }).notNull().default(0),
    claimed: bigint("claimed", { mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ name: "daily_stats_pkey", columns: [t.appId, t.day, t.campaignId, t.platform] })],
);
