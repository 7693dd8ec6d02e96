import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

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
      ],
    }).notNull(),
    referralId: uuid("referral_id"),
    payload: jsonb("payload").notNull(),
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
    // The unmatched room, newest first.
    index("provider_events_verdict").on(t.appId, t.verdict, t.createdAt),
  ],
);
