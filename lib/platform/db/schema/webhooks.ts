import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** Events of the program, written in the transaction of their change. Ids are in order of time. */
export const outbox = pgTable(
  "outbox",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "outbox_pkey", columns: [t.appId, t.id] }),
    // The round that follows changes: apps with new events.
    index("outbox_created").on(t.createdAt),
  ],
);

/** The addresses to which an app's events are sent. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    url: text("url").notNull(),
    description: text("description"),
    events: text("events").array().notNull(),
    secret: text("secret").notNull(),
    /** The secret before a rotation: deliveries are signed with both until `formerUntil`. */
    formerSecret: text("former_secret"),
    formerUntil: timestampTz("former_until"),
    enabled: boolean("enabled").notNull().default(true),
    /** The reason why it is disabled: by the owner, after a 410, or after days without a success. */
    disabledReason: text("disabled_reason", { enum: ["owner", "gone", "failing"] }),
    disabledAt: timestampTz("disabled_at"),
    /** Failures in a row, not counting those within a slowed time; 0 after a success. */
    failures: integer("failures").notNull().default(0),
    failingSince: timestampTz("failing_since"),
    /** No delivery is attempted before this time. */
    slowedUntil: timestampTz("slowed_until"),
    warnedAt: timestampTz("warned_at"),
    /** Since when deliveries wait because it answers slower than events arrive, without the time of failures. */
    busySince: timestampTz("busy_since"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "webhook_endpoints_pkey", columns: [t.appId, t.id] }),
    // The rounds that follow changes and watch backlogs: endpoints that have failed, or been too slow, for a long time.
    index("webhook_endpoints_warned").on(t.warnedAt).where(sql`warned_at is not null`),
    index("webhook_endpoints_busy").on(t.busySince).where(sql`busy_since is not null`),
  ],
);

const OPEN = sql`status in ('pending', 'failed')`;

/** The outcome of each event at each endpoint, and the queue of unsent ones. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    eventId: uuid("event_id").notNull(),
    eventType: text("event_type").notNull(),
    /** The body's data, stored so that it can be resent as long as the row exists. */
    payload: jsonb("payload").notNull().default(sql`'{}'::jsonb`),
    /** The referral, referrer, pool or campaign of the event; its events are sent in the order of `place`. */
    orderKey: text("lane").notNull().default(""),
    place: bigint("place", { mode: "number" }).notNull().default(0),
    status: text("status", { enum: ["pending", "delivered", "failed", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Attempts before it was resent by hand; the schedule counts from there. */
    spent: integer("spent").notNull().default(0),
    responseStatus: integer("response_status"),
    createdAt: createdAt(),
    deliveredAt: timestampTz("delivered_at"),
    /** The time of the next attempt. */
    dueAt: timestampTz("due_at"),
    /** The time at which a sender next checks it. */
    wakeAt: timestampTz("wake_at"),
    /** The time since which it waits for its endpoint, which is off, slowed or busy, until other deliveries wake it. */
    parkedAt: timestampTz("parked_at"),
    /** The end of the worker's lease; `takes` tells one worker from the next. */
    leasedUntil: timestampTz("leased_until"),
    takes: integer("takes").notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [t.appId, t.id] }),
    // GET /api/webhooks/<id>/deliveries, newest first.
    index("webhook_deliveries_endpoint").on(t.appId, t.endpointId, t.id),
    // The first and the last delivery of an order key: add_deliveries, lease_webhooks, wake_next_webhooks.
    index("webhook_deliveries_lane").on(t.appId, t.endpointId, t.orderKey, t.place).where(OPEN),
    // Due deliveries of all apps: take_webhooks. With its own condition, so that no plan reads another index.
    index("webhook_deliveries_due").on(t.wakeAt).where(sql`wake_at is not null`),
    // Parked deliveries: wake_webhooks.
    index("webhook_deliveries_parked")
      .on(t.appId, t.endpointId, t.parkedAt)
      .where(sql`parked_at is not null`),
    // Failed deliveries, for lists and resending: few among many.
    index("webhook_deliveries_failed")
      .on(t.appId, t.endpointId, t.id)
      .where(sql`status in ('failed', 'dead')`),
    // Deliveries under way: webhook_slots.
    index("webhook_deliveries_leased")
      .on(t.appId, t.endpointId, t.leasedUntil)
      .where(sql`leased_until is not null`),
  ],
);

/** Each request for a delivery, and its response. The body is the delivery's. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    appId: appId(),
    deliveryId: uuid("delivery_id").notNull(),
    number: integer("number").notNull(),
    createdAt: createdAt(),
    ms: integer("ms").notNull(),
    requestHeaders: jsonb("request_headers").$type<Record<string, string>>().notNull(),
    /** Null without a response. */
    responseStatus: integer("response_status"),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: text("response_body"),
    error: text("error"),
  },
  (t) => [primaryKey({ name: "webhook_attempts_pkey", columns: [t.appId, t.deliveryId, t.number] })],
);
