import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** One upload of codes. A batch never gains codes once it is ready, so an empty one stays empty. */
export const batches = pgTable(
  "batches",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    poolId: uuid("pool_id").notNull(),
    /** The store's offer. One person never gets two codes of the same named offer. */
    offer: text("offer"),
    kind: text("kind", { enum: ["one_time", "custom"] }).notNull(),
    expiresAt: moment("expires_at"),
    /** `drained`: redeem found no free code left and need not look again. */
    state: text("state", { enum: ["importing", "ready", "drained", "quarantined", "undone"] }).notNull(),
    /** Where the codes came from, such as a file's name. */
    origin: text("origin"),
    size: integer("size").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "batches_pkey", columns: [t.appId, t.id] }),
    // take_code: the pool's open batches, the earliest to expire first.
    index("batches_ready").on(t.appId, t.poolId, t.expiresAt).where(sql`state = 'ready'`),
  ],
);
