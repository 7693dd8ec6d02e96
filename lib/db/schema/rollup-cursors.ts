import { pgTable, uuid } from "drizzle-orm/pg-core";
import { moment } from "./columns";

/** How far the roll-up of an app has read the outbox. */
export const rollupCursors = pgTable("rollup_cursors", {
  appId: uuid("app_id").primaryKey(),
  lastId: uuid("last_id").notNull(),
  rolledAt: moment("rolled_at").notNull(),
});
