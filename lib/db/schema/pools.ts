import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** A stock of codes of one platform, for referees or for rewards. */
export const pools = pgTable(
  "pools",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    use: text("use", { enum: ["referee", "reward"] }).notNull(),
    name: text("name").notNull(),
    /** Codes left at which the owner is told. */
    lowStock: integer("low_stock").notNull().default(50),
    /** Who is told by mail when the stock is low; empty: owners and admins of the workspace. */
    alertTo: text("alert_to").array().notNull().default(sql`'{}'::text[]`),
    /** Since when the stock is low and somebody was told; null above `lowStock`. */
    lowSince: moment("low_since"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "pools_pkey", columns: [t.appId, t.id] }),
    // The dashboard's list.
    index("pools_use").on(t.appId, t.use, t.platform),
  ],
);
