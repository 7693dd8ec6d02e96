import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

/**
 * Who has had a code of which named store offer, as a referee or as a referrer. Its primary key is the rule that one
 * person never gets two: a store lets a customer redeem one code of an offer.
 */
export const offerTakers = pgTable(
  "offer_takers",
  {
    appId: appId(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    offer: bytesText("offer").notNull(),
    uid: bytesText("uid").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "offer_takers_pkey", columns: [t.appId, t.platform, t.offer, t.uid] })],
);
