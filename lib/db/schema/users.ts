import { bigint, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytea, bytesText, createdAt, moment } from "./columns";

/** A person who signs in to the dashboard. */
export const users = pgTable("users", {
  id: uuid("id").primaryKey(),
  /** Lower case; one account an address. */
  email: bytesText("email").notNull().unique("users_email"),
  name: text("name").notNull(),
  /** argon2id, PHC string; null for a person who has only ever signed in elsewhere. */
  passwordHash: text("password_hash"),
  /** Raised to sign out every session of this person at once. */
  sessionVersion: integer("session_version").notNull().default(1),
  emailVerifiedAt: moment("email_verified_at"),
  /** Secret of the second factor, sealed with a key of the service; counts from `totpEnabledAt` on. */
  totpSecret: bytea("totp_secret"),
  totpEnabledAt: moment("totp_enabled_at"),
  /** The last time step that was used: a one-time password works once. */
  totpLastStep: bigint("totp_last_step", { mode: "number" }),
  createdAt: createdAt(),
});
