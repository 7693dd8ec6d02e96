import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt, timestampTz } from "./columns";

/**
 * How an event found its referral: by this uid, through these links from one of its own ids, or by the purchase.
 */
interface MatchedBy {
  uid: string;
  links?: { from: string; to: string; type: string }[];
  purchase?: true;
  /** A member linked the event to the uid. */
  hand?: true;
}

/** The inbox: provider events, once each, with their outcome. */
export const providerEvents = pgTable(
  "provider_events",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    connectionId: uuid("connection_id").notNull(),
    /** The provider's own id of the event; repeated deliveries are one row. */
    eventId: bytesText("event_id").notNull(),
    type: text("type").notNull(),
    /** Ids of the end user, in the order in which they are matched. */
    uids: text("uids").array().notNull(),
    /** The adapter's reading: `kind` (confirm, reverse, restore, ignore), `paid`, `renewal`, `sandbox`. */
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
    /** The store's time of the event; null if the provider sends none, and then its arrival counts. */
    occurredAt: timestampTz("occurred_at"),
    /** The store's original transaction: the same for a purchase, its renewals and its refund. */
    purchaseId: bytesText("purchase_id"),
    /** Ids that the event reports as one end user's: `[{"from", "to"}]`. */
    links: jsonb("links").$type<{ from: string; to: string }[]>().notNull().default(sql`'[]'::jsonb`),
    /** The non-secret headers of the delivery; never its proof. */
    headers: jsonb("headers").$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
    /** The payload as sent; a text if it was not JSON. */
    payload: jsonb("payload").notNull(),
    /** The reason why it could not be read or applied. */
    failure: text("failure"),
    /** How often and when it was last applied: failed events are retried. */
    tries: integer("tries").notNull().default(0),
    appliedAt: timestampTz("judged_at"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "provider_events_pkey", columns: [t.appId, t.id] }),
    // receive_confirmation: the same event again does nothing.
    uniqueIndex("provider_events_event").on(t.appId, t.connectionId, t.eventId),
    // A connection's page: its newest event, and its log.
    index("provider_events_connection").on(t.appId, t.connectionId, t.id),
    // A referral's timeline.
    index("provider_events_referral").on(t.appId, t.referralId).where(sql`referral_id is not null`),
    // A person's page and the diagnosis of a referral: every event that names an id.
    index("provider_events_uids").using("gin", t.uids),
    // The unmatched page, newest first; failed events that are due again.
    index("provider_events_verdict").on(t.appId, t.verdict, t.createdAt),
    // The rounds: events to be applied again, and apps with new events that match no referral.
    index("provider_events_open")
      .on(t.verdict, t.createdAt)
      .where(sql`verdict in ('failed', 'received', 'unmatched')`),
    // referral_of_purchase: the referral of a purchase. apply_waiting: the events of a purchase that wait.
    index("provider_events_purchase")
      .on(t.appId, t.purchaseId, t.verdict)
      .where(sql`purchase_id is not null`),
  ],
);

/** Ids that a provider reported as one end user's. They outlive the event that reported them. */
export const identityLinks = pgTable(
  "identity_links",
  {
    appId: appId(),
    fromUid: bytesText("from_uid").notNull(),
    toUid: bytesText("to_uid").notNull(),
    /** The event's type, such as TRANSFER, which may have moved a purchase to another end user. */
    type: text("type").notNull(),
    /** The first event with this link. */
    eventId: uuid("event_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // linked_uids: from an id to its successors.
    primaryKey({ name: "identity_links_pkey", columns: [t.appId, t.fromUid, t.toUid] }),
    // linked_uids: from an id to its predecessors.
    index("identity_links_to").on(t.appId, t.toUid),
  ],
);

/** The ids by which an unmatched event is found when its missing part arrives; `id` is the event's. */
export const waitingUids = pgTable(
  "waiting_uids",
  {
    appId: appId(),
    uid: bytesText("uid").notNull(),
    id: uuid("id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // apply_waiting: the events of these ids.
    primaryKey({ name: "waiting_uids_pkey", columns: [t.appId, t.uid, t.id] }),
    // The rows of an event that has been matched; the sweep, oldest first.
    index("waiting_uids_event").on(t.appId, t.id),
  ],
);
