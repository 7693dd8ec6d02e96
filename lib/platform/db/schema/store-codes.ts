import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** The key with which this service may create codes at App Store Connect; one per app. */
export const appStoreKeys = pgTable(
  "app_store_keys",
  {
    appId: appId(),
    issuerId: text("issuer_id").notNull(),
    keyId: text("key_id").notNull(),
    /** Sealed (lib/platform/secrets), so that a copy of the database alone reveals nothing. */
    privateKey: text("private_key").notNull(),
    /** The reason why Apple refuses the key; null while it is accepted. */
    trouble: text("trouble"),
    /** The time of the last list of offers. */
    listedAt: timestampTz("listed_at"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "app_store_keys_pkey", columns: [t.appId] })],
);

/** The offers of an app as its store last listed them. */
export const storeOffers = pgTable(
  "store_offers",
  {
    appId: appId(),
    type: text("type", { enum: ["subscription", "in_app_purchase"] }).notNull(),
    /** The store's own id. */
    id: text("id").notNull(),
    /** The reference name, which purchases report as their offer. */
    name: text("name").notNull(),
    product: text("product").notNull(),
    productId: text("product_id").notNull(),
    active: boolean("active").notNull(),
  },
  (t) => [primaryKey({ name: "store_offers_pkey", columns: [t.appId, t.type, t.id] })],
);

/** Requests for codes to a store. Each step is stored before the next, so that any process can continue. */
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
    /** The store's day on which the codes expire. */
    expiresOn: date("expires_on").notNull(),
    /** `unclear`: several batches at the store could be the result; a member has to look. */
    state: text("state", {
      enum: ["asked", "made", "imported", "unclear", "refused", "given_up"],
    })
      .notNull()
      .default("asked"),
    /**
     * Set before the request to the store, and cleared if it certainly created nothing. While set, look for a batch
     * before the next request.
     */
    postedAt: timestampTz("posted_at"),
    /** The offer's batches at the store just before the request. */
    knownIds: text("known_ids").array().notNull().default(sql`'{}'::text[]`),
    /** The store's id of the batch that it created. */
    storeId: text("store_id"),
    /** The batch into which the codes are imported, once. */
    batchId: uuid("batch_id").notNull(),
    imported: integer("imported"),
    /** The problem that delays or ended it, as text. */
    trouble: text("trouble"),
    attempts: integer("attempts").notNull().default(0),
    dueAt: timestampTz("due_at").notNull().defaultNow(),
    /** The worker that holds the lease, and its end. */
    lease: uuid("lease"),
    leasedUntil: timestampTz("leased_until"),
    endedAt: timestampTz("ended_at"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "code_requests_pkey", columns: [t.appId, t.id] }),
    // A batch at the store answers one request.
    uniqueIndex("code_requests_store").on(t.appId, t.storeId).where(sql`store_id is not null`),
    // A pool has at most one refill under way.
    uniqueIndex("code_requests_refill")
      .on(t.appId, t.poolId)
      .where(sql`origin = 'refill' and state in ('asked', 'made', 'unclear')`),
    // Those to be worked on, over all apps.
    index("code_requests_due").on(t.dueAt).where(sql`state in ('asked', 'made')`),
    // The codes that a pool requested in a quarter.
    index("code_requests_pool").on(t.appId, t.poolId, t.createdAt),
  ],
);

/** An offer of a refill after the first one. */
export interface LaterOffer {
  type: "subscription" | "in_app_purchase";
  id: string;
  name: string;
}

/** The rule by which a pool is refilled from its store. */
export const refillRules = pgTable(
  "refill_rules",
  {
    appId: appId(),
    poolId: uuid("pool_id").notNull(),
    offerType: text("offer_type", { enum: ["subscription", "in_app_purchase"] }).notNull(),
    offerId: text("offer_id").notNull(),
    offerName: text("offer_name").notNull(),
    /** Offers for people who have had the ones before, in this order. */
    laterOffers: jsonb("later_offers").$type<LaterOffer[]>().notNull().default(sql`'[]'::jsonb`),
    /** Free codes at or below which more are requested. */
    threshold: integer("threshold").notNull(),
    amount: integer("amount").notNull(),
    /** Codes that may be requested in a calendar quarter. */
    quarterCap: integer("quarter_cap").notNull(),
    validDays: integer("valid_days").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    /**
     * The reason why it stopped. Stops by the owner's cap, the store's limit, the safety margin of a campaign and codes that
     * are late end automatically, all others need a member.
     */
    stopped: text("stopped", {
      enum: ["cap", "store_limit", "margin", "late", "key", "refused", "nothing_new"],
    }),
    stoppedBecause: text("stopped_because"),
    stoppedAt: timestampTz("stopped_at"),
    /** The time of its last start: an earlier refusal does not stop it again. */
    armedAt: timestampTz("armed_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "refill_rules_pkey", columns: [t.appId, t.poolId] }),
    // The round that follows changes: refills that stopped.
    index("refill_rules_stopped").on(t.stoppedAt).where(sql`stopped_at is not null`),
  ],
);
