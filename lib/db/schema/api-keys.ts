import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { appId, bytea, createdAt, moment } from "./columns";

/** API keys by the SHA-256 of their text, which is shown once and never stored. */
export const apiKeys = pgTable(
  "api_keys",
  {
    keyHash: bytea("key_hash").primaryKey(),
    id: uuid("id").notNull(),
    appId: appId(),
    name: text("name").notNull(),
    /** The first characters, `mc_live_` and four more, to tell keys apart. */
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: createdAt(),
    /** Set by a rotation: the end of the old key's grace period. */
    expiresAt: moment("expires_at"),
    revokedAt: moment("revoked_at"),
  },
  (t) => [
    // The dashboard's list of an app's keys, and revoking one by its id.
    index("api_keys_app").on(t.appId, t.id),
  ],
);
