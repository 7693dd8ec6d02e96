import { bigint, date, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** Requests of one key on one day (UTC), added up in memory and written in batches. */
export const keyUsageDays = pgTable(
  "key_usage_days",
  {
    appId: appId(),
    keyId: uuid("key_id").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    requests: bigint("requests", { mode: "number" }).notNull(),
    /** Of these, answered 4xx. */
    refused: bigint("refused", { mode: "number" }).notNull(),
    /** Of these, answered 5xx. */
    failed: bigint("failed", { mode: "number" }).notNull(),
    /** Of all, counted but not in the request log: more came in one second than it keeps. */
    unlisted: bigint("unlisted", { mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ name: "key_usage_days_pkey", columns: [t.appId, t.keyId, t.day] })],
);
