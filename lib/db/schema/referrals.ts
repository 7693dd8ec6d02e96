import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt, moment } from "./columns";

/** A referral event from `code_assigned` on. Its primary key is the anti-fraud rule: one code a referee and campaign. */
export const referrals = pgTable(
  "referrals",
  {
    appId: appId(),
    campaignId: uuid("campaign_id").notNull(),
    refereeUid: bytesText("referee_uid").notNull(),
    id: uuid("id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    status: text("status", { enum: ["code_assigned", "redeemed"] })
      .notNull()
      .default("code_assigned"),
    clickedAt: moment("clicked_at"),
    createdAt: createdAt(),
    confirmedAt: moment("confirmed_at"),
    /** A refund: the referral no longer counts. */
    reversedAt: moment("reversed_at"),
    /** When the earliest purchase that confirms it happened at the store: a refund from before is not of it. */
    purchasedAt: moment("purchased_at"),
    /** When the last refund, or its taking back, happened at the store: what is older changes nothing. */
    turnedAt: moment("turned_at"),
    /** The provider event that confirmed it. */
    confirmedBy: uuid("confirmed_by"),
    /** The provider event that reversed it; null where a person did. */
    reversedBy: uuid("reversed_by"),
  },
  (t) => [
    primaryKey({ name: "referrals_pkey", columns: [t.appId, t.campaignId, t.refereeUid] }),
    // A referral by its own id: timelines, support.
    uniqueIndex("referrals_id").on(t.appId, t.id),
    // match_referral: the newest open assignment of a person.
    index("referrals_referee").on(t.appId, t.refereeUid, t.createdAt),
    // The referrer's page, and the fraud rule's count of one day.
    index("referrals_referrer").on(t.appId, t.referrerId, t.createdAt),
    // The dashboard's list, newest first. Not by id: that of a click is as old as the click's day.
    index("referrals_created").on(t.appId, t.createdAt, t.id),
  ],
);
