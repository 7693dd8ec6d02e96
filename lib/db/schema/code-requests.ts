import { sql } from "drizzle-orm";
import { date, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** Codes asked for at a store. Each step is written down before the next one, so that any process can go on. */
export const codeRequests = pgTable(
  "code_requests",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    poolId: uuid("pool_id").notNull(),
    origin: text("origin", { enum: ["person", "refill"] }).notNull(),
    offerType: text("offer_type", { enum: ["subscription", "in_app_purchase"] }).notNull(),
    offerId: text("offer_id").notNull(),
    offerName: text("offer_name").notNull(),
    amount: integer("amount").notNull(),
    /** The store's day on which the codes end. */
    expiresOn: date("expires_on").notNull(),
    /** `unclear`: several batches at the store could be the one; a person has to look. */
    state: text("state", {
      enum: ["asked", "made", "imported", "unclear", "refused", "given_up"],
    })
      .notNull()
      .default("asked"),
    /** Set before the store is asked and taken back when it surely made nothing: while set, look before asking again. */
    postedAt: moment("posted_at"),
    /** The offer's batches at the store just before it was asked. */
    knownIds: text("known_ids").array().notNull().default(sql`'{}'::text[]`),
    /** The store's id of the batch that it made. */
    storeId: text("store_id"),
    /** Under this id the codes are imported, once. */
    batchId: uuid("batch_id").notNull(),
    imported: integer("imported"),
    /** What holds it up or ended it, in words. */
    trouble: text("trouble"),
    attempts: integer("attempts").notNull().default(0),
    dueAt: moment("due_at").notNull().defaultNow(),
    /** Who works on it, and until when nobody else may. */
    lease: uuid("lease"),
    leasedUntil: moment("leased_until"),
    endedAt: moment("ended_at"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "code_requests_pkey", columns: [t.appId, t.id] }),
    // A batch at the store is the answer to one request.
    uniqueIndex("code_requests_store").on(t.appId, t.storeId).where(sql`store_id is not null`),
    // A pool has one refill under way.
    uniqueIndex("code_requests_refill")
      .on(t.appId, t.poolId)
      .where(sql`origin = 'refill' and state in ('asked', 'made', 'unclear')`),
    // The round: what is due, over all apps.
    index("code_requests_due").on(t.appId, t.dueAt).where(sql`state in ('asked', 'made')`),
    // What a pool asked for in a quarter.
    index("code_requests_pool").on(t.appId, t.poolId, t.createdAt),
  ],
);
