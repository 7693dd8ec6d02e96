import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

/** Ids that a provider says are one person's. They outlast the event that told of them. */
export const identityLinks = pgTable(
  "identity_links",
  {
    appId: appId(),
    fromUid: bytesText("from_uid").notNull(),
    toUid: bytesText("to_uid").notNull(),
    /** The event's type, such as TRANSFER: what moved may be another person's account. */
    type: text("type").notNull(),
    /** The event that told first. */
    eventId: uuid("event_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // linked_uids: from an id to what it became.
    primaryKey({ name: "identity_links_pkey", columns: [t.appId, t.fromUid, t.toUid] }),
    // linked_uids: from an id to what it was before.
    index("identity_links_to").on(t.appId, t.toUid),
  ],
);
