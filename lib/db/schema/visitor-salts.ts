import { date, pgTable } from "drizzle-orm/pg-core";
import { bytea } from "./columns";

/**
 * The random salt under which a day's (UTC) visitors are hashed. Dropped after 48 hours; from then on nobody, not even
 * who holds every secret, can tell an address from a stored visitor. One for all apps, so it has no `app_id`.
 */
export const visitorSalts = pgTable("visitor_salts", {
  day: date("day", { mode: "string" }).primaryKey(),
  salt: bytea("salt").notNull(),
});
