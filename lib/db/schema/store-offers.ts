import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId } from "./columns";

/** The offers of an app as its store last listed them. */
export const storeOffers = pgTable(
  "store_offers",
  {
    appId: appId(),
    type: text("type", { enum: ["subscription", "in_app_purchase"] }).notNull(),
    /** The store's own id. */
    id: text("id").notNull(),
    /** The reference name, which comes back as the offer of a purchase. */
    name: text("name").notNull(),
    product: text("product").notNull(),
    productId: text("product_id").notNull(),
    active: boolean("active").notNull(),
  },
  (t) => [primaryKey({ name: "store_offers_pkey", columns: [t.appId, t.type, t.id] })],
);
