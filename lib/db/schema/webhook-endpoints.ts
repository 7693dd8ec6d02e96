import { boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** Where an app owner wants to be told of events. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    secret: text("secret").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "webhook_endpoints_pkey", columns: [t.appId, t.id] })],
);
