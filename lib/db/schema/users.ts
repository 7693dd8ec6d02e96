import { integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytesText, createdAt, moment } from "./columns";

/** A person who signs in to the dashboard. */
export const users = pgTable("users", {
  id: uuid("id").primaryKey(),
  /** Lower case; one account an address. */
  email: bytesText("email").notNull().unique("users_email"),
  name: text("name").notNull(),
  /** argon2id, PHC string. */
  passwordHash: text("password_hash").notNull(),
  /** Raised to sign out every session of this person at once. */
  sessionVersion: integer("session_version").notNull().default(1),
  emailVerifiedAt: moment("email_verified_at"),
  createdAt: createdAt(),
});
