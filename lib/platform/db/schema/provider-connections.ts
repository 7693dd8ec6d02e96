import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** The address to which a subscription provider posts its events. The id in the address finds the app. */
export const providerConnections = pgTable(
  "provider_connections",
  {
    id: uuid("id").primaryKey(),
    appId: appId(),
    provider: text("provider").notNull(),
    /** The owner's own name for it; null shows the provider's. */
    name: text("name"),
    /**
     * The Authorization value or signing secret; empty until the provider's secret is pasted, or if it has none.
     */
    secret: text("secret").notNull(),
    /** The secret before a change, accepted as well until `formerUntil`. */
    formerSecret: text("former_secret"),
    formerUntil: timestampTz("former_until"),
    /** RevenueCat's optional second proof: the key of its HMAC signature. */
    signingSecret: text("signing_secret"),
    /** Names that the owner chose at the provider in place of the documented ones; null where there are none. */
    ownNames: jsonb("own_names").$type<{ events: Record<string, string>; userIdKey: string | null }>(),
    /** Whether purchases in web shops count as well, where no code can be redeemed. */
    webPurchases: boolean("web_purchases").notNull().default(false),
    enabled: boolean("enabled").notNull().default(true),
    /** The last refused delivery: without a valid proof (the most common set-up mistake), compressed or too large. */
    refusedAt: timestampTz("refused_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // The dashboard's list of an app's connections.
    index("provider_connections_app").on(t.appId),
    // The round that follows changes: connections that refused a delivery.
    index("provider_connections_refused").on(t.refusedAt).where(sql`refused_at is not null`),
  ],
);

/** Refused deliveries, by connection and hour. */
export const connectionRefusals = pgTable(
  "connection_refusals",
  {
    appId: appId(),
    connectionId: uuid("connection_id").notNull(),
    /** The beginning of the hour in which the refusals were stored. */
    hour: timestampTz("hour").notNull(),
    deliveries: integer("deliveries").notNull(),
    lastAt: timestampTz("last_at").notNull(),
  },
  (t) => [primaryKey({ name: "connection_refusals_pkey", columns: [t.appId, t.connectionId, t.hour] })],
);
