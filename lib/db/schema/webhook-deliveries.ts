import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

const OPEN = sql`status in ('pending', 'failed')`;

/** What became of each event at each endpoint, and the queue of what is still to be sent. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    eventId: uuid("event_id").notNull(),
    eventType: text("event_type").notNull(),
    /** What is sent, kept here so that it can be sent again as long as the row is kept. */
    payload: jsonb("payload").notNull().default(sql`'{}'::jsonb`),
    /** What the event is about; those of one lane go in the order of their places. */
    lane: text("lane").notNull().default(""),
    place: bigint("place", { mode: "number" }).notNull().default(0),
    status: text("status", { enum: ["pending", "delivered", "failed", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Attempts before somebody had it sent again; the schedule counts from there. */
    spent: integer("spent").notNull().default(0),
    responseStatus: integer("response_status"),
    createdAt: createdAt(),
    deliveredAt: moment("delivered_at"),
    /** When it is attempted next. */
    dueAt: moment("due_at"),
    /** A job comes before this moment; if none has, somebody has to queue one. */
    wakeAt: moment("wake_at"),
    /** Whoever took it sends it until then; `takes` tells one taker from the next. */
    leasedUntil: moment("leased_until"),
    takes: integer("takes").notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [t.appId, t.id] }),
    // GET /api/webhooks/<id>/deliveries, newest first.
    index("webhook_deliveries_endpoint").on(t.appId, t.endpointId, t.id),
    // The first of a lane: add_delivery, take_webhook, finish_webhook.
    index("webhook_deliveries_lane").on(t.appId, t.endpointId, t.lane, t.place).where(OPEN),
    // What nobody came for: wake_webhooks.
    index("webhook_deliveries_wake").on(t.appId, t.endpointId, t.wakeAt).where(OPEN),
    // Those of one status, and what is to be sent again: few of many.
    index("webhook_deliveries_failed")
      .on(t.appId, t.endpointId, t.id)
      .where(sql`status in ('failed', 'dead')`),
    // How many are on their way: take_webhook.
    index("webhook_deliveries_leased").on(t.appId, t.endpointId).where(sql`leased_until is not null`),
  ],
);
