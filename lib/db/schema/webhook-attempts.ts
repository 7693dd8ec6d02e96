import { integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** Each request that was made for a delivery, and what came back. The body is that of the delivery. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    appId: appId(),
    deliveryId: uuid("delivery_id").notNull(),
    number: integer("number").notNull(),
    createdAt: createdAt(),
    ms: integer("ms").notNull(),
    requestHeaders: jsonb("request_headers").$type<Record<string, string>>().notNull(),
    /** Null where no answer came. */
    responseStatus: integer("response_status"),
    responseHeaders: jsonb("response_headers").$type<Record<string, string>>(),
    responseBody: text("response_body"),
    /** In words, why it counts as failed. */
    error: text("error"),
  },
  (t) => [primaryKey({ name: "webhook_attempts_pkey", columns: [t.appId, t.deliveryId, t.number] })],
);
