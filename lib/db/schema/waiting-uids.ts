import { index, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

/** By which ids an unmatched event can be found when a missing piece arrives; `id` is the event's. */
export const waitingUids = pgTable(
  "waiting_uids",
  {
    appId: appId(),
    uid: bytesText("uid").notNull(),
    id: uuid("id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // judge_waiting: the events of these ids.
    primaryKey({ name: "waiting_uids_pkey", columns: [t.appId, t.uid, t.id] }),
    // Those of one event, once it is matched; the sweep, oldest first.
    index("waiting_uids_event").on(t.appId, t.id),
  ],
);
