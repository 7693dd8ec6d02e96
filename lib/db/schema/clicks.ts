import { index, pgTable, primaryKey, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytea, createdAt } from "./columns";

/**
 * Referral events in the state `clicked`. A redeem that names the click takes its row away and goes on under its id
 * in `referrals`.
 */
export const clicks = pgTable(
  "clicks",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    /** HMAC of address and browser under a salt of the day, so that one visitor counts once and nobody is stored. */
    visitor: bytea("visitor").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "clicks_pkey", columns: [t.appId, t.id] }),
    uniqueIndex("clicks_visitor").on(t.appId, t.referrerId, t.visitor),
    // The funnel's count and the retention sweep.
    index("clicks_created").on(t.appId, t.createdAt),
  ],
);
