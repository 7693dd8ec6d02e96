import { boolean, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** How a pool fills itself up again from its store. */
export const refillRules = pgTable(
  "refill_rules",
  {
    appId: appId(),
    poolId: uuid("pool_id").notNull(),
    offerType: text("offer_type", { enum: ["subscription", "in_app_purchase"] }).notNull(),
    offerId: text("offer_id").notNull(),
    offerName: text("offer_name").notNull(),
    /** Free codes at or below which more are asked for. */
    threshold: integer("threshold").notNull(),
    amount: integer("amount").notNull(),
    /** Codes that may be asked for in a calendar quarter. */
    quarterCap: integer("quarter_cap").notNull(),
    validDays: integer("valid_days").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    /** What stopped it. The owner's cap and the store's limit end by themselves, the others when somebody acts. */
    stopped: text("stopped", { enum: ["cap", "store_limit", "key", "refused", "nothing_new"] }),
    stoppedBecause: text("stopped_because"),
    stoppedAt: moment("stopped_at"),
    /** Since when it may act: what was refused before does not stop it again. */
    armedAt: moment("armed_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "refill_rules_pkey", columns: [t.appId, t.poolId] })],
);
