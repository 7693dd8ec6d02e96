import { bigint, date, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, bytea, createdAt, timestampTz } from "./columns";

/** API keys by the SHA-256 of their text, which is shown once and never stored. */
export const apiKeys = pgTable(
  "api_keys",
  {
    keyHash: bytea("key_hash").primaryKey(),
    id: uuid("id").notNull(),
    appId: appId(),
    name: text("name").notNull(),
    /** The first characters, `mc_live_` and four more, to distinguish keys. */
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: createdAt(),
    /** Set by a rotation: the end of the old key's grace period. */
    expiresAt: timestampTz("expires_at"),
    revokedAt: timestampTz("revoked_at"),
  },
  (t) => [
    // The dashboard's list of an app's keys, and revoking one by its id.
    index("api_keys_app").on(t.appId, t.id),
  ],
);

/**
 * When a key was last used. Separate from `api_keys`, which every request reads and hardly any statement writes.
 */
export const apiKeyUses = pgTable(
  "api_key_uses",
  {
    appId: appId(),
    keyId: uuid("key_id").notNull(),
    lastUsedAt: timestampTz("last_used_at").notNull(),
  },
  (t) => [primaryKey({ name: "api_key_uses_pkey", columns: [t.appId, t.keyId] })],
);

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
    /** Requests that were counted but not logged, because more arrived in one second than the log keeps. */
    unlisted: bigint("unlisted", { mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ name: "key_usage_days_pkey", columns: [t.appId, t.keyId, t.day] })],
);
