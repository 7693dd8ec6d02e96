import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, moment } from "./columns";

/** Promo codes. A custom code is as many rows as it may be redeemed, told apart by `use_number`. */
export const codes = pgTable(
  "codes",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    batchId: uuid("batch_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    code: bytesText("code").notNull(),
    useNumber: integer("use_number").notNull().default(0),
    /** Random place in the batch. Taking codes from a random place on never slows down under an open snapshot. */
    slot: integer("slot").notNull(),
    status: text("status", { enum: ["available", "assigned", "confirmed", "void"] })
      .notNull()
      .default("available"),
    /** The person who was given it: the referee, or the referrer for a reward. */
    redeemedByUid: bytesText("redeemed_by_uid"),
    /** Who gets the credit (referee codes), or who claimed it (reward codes). */
    referrerId: uuid("referrer_id"),
    /** The referral or reward it was given for. One column and its unique index: a code has one, and one has a code. */
    assignmentId: uuid("assignment_id"),
    assignedAt: moment("assigned_at"),
  },
  (t) => [
    primaryKey({ name: "codes_pkey", columns: [t.appId, t.id] }),
    // A text is one code for ever; the import's ON CONFLICT.
    uniqueIndex("codes_code").on(t.appId, t.platform, t.code, t.useNumber),
    // The code of a referral or a reward.
    uniqueIndex("codes_assignment").on(t.appId, t.assignmentId).where(sql`assignment_id is not null`),
    // take_code: the free codes of a batch from a random slot on. No other column orders by slot, so the planner
    // cannot walk the primary key past every used code.
    index("codes_free").on(t.appId, t.batchId, t.slot).where(sql`status = 'available'`),
  ],
);
