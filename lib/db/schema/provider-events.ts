import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt, moment } from "./columns";

/** How an event found its referral: by this uid, over these links from one of its own ids, or by the purchase. */
export interface MatchedBy {
  uid: string;
  links?: { from: string; to: string; type: string }[];
  purchase?: true;
}

/** The inbox: what providers sent, once each, and what became of it. */
export const providerEvents = pgTable(
  "provider_events",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    connectionId: uuid("connection_id").notNull(),
    /** The provider's own id of the event; deliveries of the same one are one row. */
    eventId: bytesText("event_id").notNull(),
    type: text("type").notNull(),
    /** Ids of the person, in the order in which they are matched. */
    uids: text("uids").array().notNull(),
    /** What the adapter read in it: `kind` (confirm, reverse, restore, ignore), `paid`, `renewal`, `sandbox`. */
    confirmation: jsonb("confirmation").$type<Record<string, unknown>>().notNull(),
    verdict: text("verdict", {
      enum: [
        "confirmed",
        "reversed",
        "restored",
        "already_confirmed",
        "unmatched",
        "not_paid",
        "renewal",
        "sandbox",
        "ignored",
        "dismissed",
        "received",
        "failed",
        "unreadable",
      ],
    })
      .notNull()
      .default("received"),
    referralId: uuid("referral_id"),
    matchedBy: jsonb("matched_by").$type<MatchedBy>(),
    /** When it happened at the store; null where the provider does not say, and then its arrival counts. */
    occurredAt: moment("occurred_at"),
    /** The store's original transaction: the same for a purchase, its renewals and its refund. */
    purchaseId: bytesText("purchase_id"),
    /** Ids of one person that it tells of: `[{"from", "to"}]`. */
    links: jsonb("links").$type<{ from: string; to: string }[]>().notNull().default(sql`'[]'::jsonb`),
    /** Those headers of the delivery that can do no harm; never its proof. */
    headers: jsonb("headers").$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
    /** What was sent; a text where it was no JSON. */
    payload: jsonb("payload").notNull(),
    /** Why it could not be read or judged. */
    failure: text("failure"),
    /** How often it was judged, and when last: what failed is tried again. */
    tries: integer("tries").notNull().default(0),
    judgedAt: moment("judged_at"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "provider_events_pkey", columns: [t.appId, t.id] }),
    // receive_confirmation: the same event again does nothing.
    uniqueIndex("provider_events_event").on(t.appId, t.connectionId, t.eventId),
    // A connection's room: its newest event, and its log page by page.
    index("provider_events_connection").on(t.appId, t.connectionId, t.id),
    // A referral's timeline.
    index("provider_events_referral").on(t.appId, t.referralId).where(sql`referral_id is not null`),
    // The unmatched room, newest first; what failed and is due again.
    index("provider_events_verdict").on(t.appId, t.verdict, t.createdAt),
    // uid_of_purchase: whom a purchase has confirmed. judge_waiting: what of it waits.
    index("provider_events_purchase")
      .on(t.appId, t.purchaseId, t.verdict)
      .where(sql`purchase_id is not null`),
  ],
);
