import { pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { appId, moment } from "./columns";

/** When a key was last used. Apart from `api_keys`, which every request reads and almost nothing writes. */
export const apiKeyUses = pgTable(
  "api_key_uses",
  {
    appId: appId(),
    keyId: uuid("key_id").notNull(),
    lastUsedAt: moment("last_used_at").notNull(),
  },
  (t) => [primaryKey({ name: "api_key_uses_pkey", columns: [t.appId, t.keyId] })],
);
