import { boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** Where an app owner wants to be told of events. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    url: text("url").notNull(),
    /** What it is for, in the owner's words. */
    description: text("description"),
    events: text("events").array().notNull(),
    secret: text("secret").notNull(),
    /** The one before a rotation: until then deliveries are signed with both. */
    formerSecret: text("former_secret"),
    formerUntil: moment("former_until"),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "webhook_endpoints_pkey", columns: [t.appId, t.id] })],
);
