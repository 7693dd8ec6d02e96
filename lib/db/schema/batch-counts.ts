import { integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** Codes of a batch that were given, up to the roll-up's cursor. Counting a million codes for a page takes too long. */
export const batchCounts = pgTable(
  "batch_counts",
  {
    appId: appId(),
    batchId: uuid("batch_id").notNull(),
    /** Ever assigned, confirmed ones included. */
    given: integer("given").notNull().default(0),
    confirmed: integer("confirmed").notNull().default(0),
  },
  (t) => [primaryKey({ name: "batch_counts_pkey", columns: [t.appId, t.batchId] })],
);
