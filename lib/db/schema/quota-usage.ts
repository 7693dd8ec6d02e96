import { sql } from "drizzle-orm";
import { bigint, date, index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";

/** Requests counted for a workspace in one calendar month (UTC), units handed out ahead included. */
export const quotaUsage = pgTable(
  "quota_usage",
  {
    workspaceId: uuid("workspace_id").notNull(),
    month: date("month", { mode: "string" }).notNull(),
    used: bigint("used", { mode: "number" }).notNull(),
    /** The highest count that has been warned of: units given back make `used` pass the same line again. */
    alerted: bigint("alerted", { mode: "number" }).notNull().default(0),
    /** The highest of these that people were written to about. */
    mailed: bigint("mailed", { mode: "number" }).notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "quota_usage_pkey", columns: [t.workspaceId, t.month] }),
    // Whose owners and admins are still to be written to.
    index("quota_usage_warned").on(t.month).where(sql`alerted > mailed`),
  ],
);
