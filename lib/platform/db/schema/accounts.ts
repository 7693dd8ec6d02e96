import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, bytesText, createdAt, timestampTz } from "./columns";

/** A user of the dashboard. */
export const users = pgTable("users", {
  id: uuid("id").primaryKey(),
  /** Lower case; one account per address. */
  email: bytesText("email").notNull().unique("users_email"),
  name: text("name").notNull(),
  /** argon2id, PHC string; null for a user who signs in through GitHub or Google only. */
  passwordHash: text("password_hash"),
  /** Raised to end every session of this user at once. */
  sessionVersion: integer("session_version").notNull().default(1),
  emailVerifiedAt: timestampTz("email_verified_at"),
  /** Secret of the second factor, sealed with a key of the service; counts from `totpEnabledAt` on. */
  totpSecret: bytea("totp_secret"),
  totpEnabledAt: timestampTz("totp_enabled_at"),
  /** The last used time step, so that a one-time password works once. */
  totpLastStep: bigint("totp_last_step", { mode: "number" }),
  createdAt: createdAt(),
});

/** Browsers in which a user is signed in. A session without its row has ended, whatever its cookie says. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id").notNull(),
    createdAt: createdAt(),
    /** Updated at most once in five minutes. */
    lastSeenAt: timestampTz("last_seen_at").notNull().defaultNow(),
    /** The network address of the sign-in. */
    address: text("address").notNull(),
    /** The browser of the sign-in, from its user agent. */
    userAgent: text("user_agent").notNull(),
  },
  (t) => [
    // The user's own list, and ending all of them.
    index("sessions_user").on(t.userId),
    // The sweep of old sessions.
    index("sessions_created_at").on(t.createdAt),
  ],
);

/** Accounts of GitHub and Google with which a user signs in. */
export const userIdentities = pgTable(
  "user_identities",
  {
    provider: text("provider", { enum: ["github", "google"] }).notNull(),
    /** The provider's own id of the account, because email addresses can change owners. */
    providerAccountId: text("provider_account_id").notNull(),
    userId: uuid("user_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "user_identities_pkey", columns: [t.provider, t.providerAccountId] }),
    // The user's own list.
    index("user_identities_user").on(t.userId),
  ],
);

/** Links sent by email, by the SHA-256 of their text. Each works once, until it expires. */
export const accountTokens = pgTable(
  "account_tokens",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    userId: uuid("user_id").notNull(),
    purpose: text("purpose", { enum: ["verify", "reset"] }).notNull(),
    /** The recipient's address; the link is void once the user's address differs. */
    email: bytesText("email").notNull(),
    /** The start of the ten minutes in which it was sent; null once it was used, and for links from before this column. */
    slot: timestampTz("slot"),
    createdAt: createdAt(),
    expiresAt: timestampTz("expires_at").notNull(),
    usedAt: timestampTz("used_at"),
  },
  (t) => [
    // For the sweep, which deletes an unconfirmed sign-up with its last link.
    index("account_tokens_user").on(t.userId, t.purpose),
    // One email per address, purpose and slot, however many requests come at once.
    uniqueIndex("account_tokens_slot").on(t.email, t.purpose, t.slot),
  ],
);

/** The user's security log: sign-ins, failed ones, changes of name and ways to sign in. Ids are in order of time. */
export const accountEvents = pgTable(
  "account_events",
  {
    /** The sweep finds old events by it. */
    id: uuid("id").primaryKey(),
    /** Random where the address of a sign-in has no account. */
    userId: uuid("user_id").notNull(),
    action: text("action").notNull(),
    detail: text("detail"),
    address: text("address").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // The user's own list, newest first.
    index("account_events_user").on(t.userId, t.id),
  ],
);

/** One-time ways past the second factor, by the SHA-256 of their text, which is shown once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id").notNull(),
    codeHash: bytea("code_hash").notNull(),
    usedAt: timestampTz("used_at"),
  },
  (t) => [primaryKey({ name: "recovery_codes_pkey", columns: [t.userId, t.codeHash] })],
);
