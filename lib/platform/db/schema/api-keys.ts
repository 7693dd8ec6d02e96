import { bigint, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
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
    /** Requests per day (UTC); null sets no budget. */
    dailyBudget: integer("daily_budget"),
    /**
     * Codes, and new referrers, that one address may get in 24 hours. A number means that phones hold the key, so an
     * address is an end user's; null means that servers hold it.
     */
    addressCap: integer("address_cap"),
    /** When an admin last lifted the key's limits: counts from before are void. */
    limitsLiftedAt: timestampTz("limits_lifted_at"),
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
    /** Requests that were counted but not logged, because more arrived in one second than the log accepts. */
    unlisted: bigint("unlisted", { mode: "number" }).notNull().default(0),
    /** Requests that a daily budget counts, including units taken ahead. Counted for a key without a budget as well. */
    budgetTaken: bigint("budget_taken", { mode: "number" }),
  },
  (t) => [primaryKey({ name: "key_usage_days_pkey", columns: [t.appId, t.keyId, t.day] })],
);

/** The limits that have refused requests of a key, noted in memory and written once a second. */
export const keyLimitRefusals = pgTable(
  "key_refusals",
  {
    appId: appId(),
    keyId: uuid("key_id").notNull(),
    limit: text("limit_name", {
      enum: [
        "daily_budget",
        "burst",
        "invalid_requests",
        "unknown_metacodes",
        "unknown_per_user",
        "unknown_per_address",
        "codes_per_address",
        "referrers_per_address",
      ],
    }).notNull(),
    /** 0 where the limit has been changed since the last refusal. */
    refused: bigint("refused", { mode: "number" }).notNull(),
    /** The first refusal after an hour without any. */
    since: timestampTz("since").notNull(),
    lastAt: timestampTz("last_at").notNull(),
    /** The end of the last refusal: until then the limit is in force. */
    until: timestampTz("until").notNull(),
  },
  (t) => [
    primaryKey({ name: "key_refusals_pkey", columns: [t.appId, t.keyId, t.limit] }),
    // The round that follows changes: keys whose limits refuse requests.
    index("key_refusals_last").on(t.lastAt),
  ],
);
