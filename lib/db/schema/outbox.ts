import { jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** Events for the outside, written in the same transaction as the change they tell of. Ids are in order of time. */
export const outbox = pgTable(
  "outbox",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "outbox_pkey", columns: [t.appId, t.id] })],
);
