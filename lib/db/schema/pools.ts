import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

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
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "pools_pkey", columns: [t.appId, t.id] }),
    // The dashboard's list.
    index("pools_use").on(t.appId, t.use, t.platform),
  ],
);
