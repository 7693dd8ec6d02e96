import { boolean, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** Where a subscription provider posts its events. The id in the address finds the app. */
export const providerConnections = pgTable(
  "provider_connections",
  {
    id: uuid("id").primaryKey(),
    appId: appId(),
    provider: text("provider").notNull(),
    /** The owner's own word for it; null shows the provider's. */
    name: text("name"),
    /** The Authorization value or signing secret; empty where the provider's is still to be pasted, or it has none. */
    secret: text("secret").notNull(),
    /** The one before a change of the secret, which is taken as well until then. */
    formerSecret: text("former_secret"),
    formerUntil: moment("former_until"),
    /** RevenueCat's optional second lock: the key of its HMAC signature. */
    signingSecret: text("signing_secret"),
    /** What the owner has named otherwise over there than the provider documents; null where nothing is. */
    ownNames: jsonb("own_names").$type<{ events: Record<string, string>; userIdKey: string | null }>(),
    enabled: boolean("enabled").notNull().default(true),
    /** When a delivery last came without the right proof: the commonest mistake while connecting. */
    refusedAt: moment("refused_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // The dashboard's list of an app's connections.
    index("provider_connections_app").on(t.appId),
  ],
);
