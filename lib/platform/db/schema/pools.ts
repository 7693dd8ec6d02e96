import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** A stock of codes of one platform, for referees or for rewards. */
export const pools = pgTable(
  "pools",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    use: text("use", { enum: ["referee", "reward"] }).notNull(),
    name: text("name").notNull(),
    /** Names of offers in the order in which an end user gets codes of them; batches of other offers come after. */
    offers: text("offers").array().notNull().default(sql`'{}'::text[]`),
    /** For a pool of Google Play: an end user gets one code per offer, which is the App Store's own rule. */
    onePerOffer: boolean("one_per_offer").notNull().default(false),
    /** Number of remaining codes at which the pool counts as low. */
    lowStock: integer("low_stock").notNull().default(50),
    /** Email addresses for low stock; empty: owners and admins of the workspace. */
    alertTo: text("alert_to").array().notNull().default(sql`'{}'::text[]`),
    /** The time when the stock became low and the owner was notified; null above `lowStock`. */
    lowSince: timestampTz("low_since"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "pools_pkey", columns: [t.appId, t.id] }),
    // The dashboard's list.
    index("pools_use").on(t.appId, t.use, t.platform),
  ],
);

/** One upload of codes. A batch never gains codes once it is ready, so an empty one stays empty. */
export const batches = pgTable(
  "batches",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    poolId: uuid("pool_id").notNull(),
    /** The store's offer. An end user never gets two codes of the same named offer. */
    offer: text("offer"),
    kind: text("kind", { enum: ["one_time", "custom"] }).notNull(),
    expiresAt: timestampTz("expires_at"),
    /** `drained`: redeem found no free code left and never reads the batch again. */
    state: text("state", { enum: ["importing", "ready", "drained", "quarantined", "undone"] }).notNull(),
    /** The source of the codes, such as a file's name. */
    origin: text("origin"),
    size: integer("size").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "batches_pkey", columns: [t.appId, t.id] }),
    // take_code: the pool's open batches, the earliest to expire first.
    index("batches_ready").on(t.appId, t.poolId, t.expiresAt).where(sql`state = 'ready'`),
    // The sweep: imports and undos that were interrupted.
    index("batches_unfinished").on(t.appId, t.id).where(sql`state in ('importing', 'undone')`),
  ],
);
