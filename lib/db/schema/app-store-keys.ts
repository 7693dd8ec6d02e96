import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** The key with which an app's owner lets this service make codes at App Store Connect; one for an app. */
export const appStoreKeys = pgTable(
  "app_store_keys",
  {
    appId: appId(),
    issuerId: text("issuer_id").notNull(),
    keyId: text("key_id").notNull(),
    /** Sealed (lib/secrets), so that a copy of the database alone opens nothing. */
    privateKey: text("private_key").notNull(),
    /** Why Apple does not take the key, in words; null while it does. */
    trouble: text("trouble"),
    /** When the offers were last read with it. */
    listedAt: moment("listed_at"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "app_store_keys_pkey", columns: [t.appId] })],
);
