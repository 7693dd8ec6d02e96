import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** What became of each event at each endpoint. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    eventId: uuid("event_id").notNull(),
    eventType: text("event_type").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    responseStatus: integer("response_status"),
    createdAt: createdAt(),
    deliveredAt: moment("delivered_at"),
  },
  (t) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [t.appId, t.id] }),
    // GET /api/webhooks/<id>/deliveries, newest first.
    index("webhook_deliveries_endpoint").on(t.appId, t.endpointId, t.id),
  ],
);
