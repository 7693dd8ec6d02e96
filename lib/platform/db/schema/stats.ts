import { bigint, date, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, timestampTz } from "./columns";

/** The funnel by day (UTC), campaign and platform, added up from the outbox by the roll-up; never on a request. */
export const dailyStats = pgTable(
  "daily_stats",
  {
    appId: appId(),
    day: date("day", { mode: "string" }).notNull(),
    /** Nil where no campaign is known, as for a click before a campaign runs. */
    campaignId: uuid("campaign_id").notNull(),
    /** `any` for clicks, which happen before the platform is known. */
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

/** Assigned codes of a batch up to the roll-up's cursor. Counting a million codes for a page takes too long. */
export const batchCounts = pgTable(
  "batch_counts",
  {
    appId: appId(),
    batchId: uuid("batch_id").notNull(),
    /** Ever assigned, confirmed ones included. */
    assigned: integer("given").notNull().default(0),
    confirmed: integer("confirmed").notNull().default(0),
  },
  (t) => [primaryKey({ name: "batch_counts_pkey", columns: [t.appId, t.batchId] })],
);

/** The roll-up's position in an app's outbox. */
export const rollupCursors = pgTable("rollup_cursors", {
  appId: uuid("app_id").primaryKey(),
  lastId: uuid("last_id").notNull(),
  rolledAt: timestampTz("rolled_at").notNull(),
});
