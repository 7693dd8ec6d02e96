import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** Where a subscription provider posts its events. The id in the address finds the app. */
export const providerConnections = pgTable(
  "provider_connections",
  {
    id: uuid("id").primaryKey(),
    appId: appId(),
    provider: text("provider").notNull(),
    /** What the provider must present: the Authorization value, or the signing secret. */
    secret: text("secret").notNull(),
    /** RevenueCat's optional second lock: the key of its HMAC signature. */
    signingSecret: text("signing_secret"),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    // The dashboard's list of an app's connections.
    index("provider_connections_app").on(t.appId),
  ],
);
