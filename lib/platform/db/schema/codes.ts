import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt, timestampTz } from "./columns";

/** Promo codes. A custom code has one row per allowed redemption, distinguished by `use_number`. */
export const codes = pgTable(
  "codes",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    batchId: uuid("batch_id").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    code: bytesText("code").notNull(),
    useNumber: integer("use_number").notNull().default(0),
    /** Random position in the batch. Taking codes from a random position on never slows down under an open snapshot. */
    slot: integer("slot").notNull(),
    status: text("status", { enum: ["available", "reserved", "assigned", "confirmed", "void"] })
      .notNull()
      .default("available"),
    /** The end user it was assigned to: the referee, or the referrer for a reward. */
    redeemedByUid: bytesText("redeemed_by_uid"),
    /** The referrer who gets the credit (referee codes) or claimed it (reward codes). */
    referrerId: uuid("referrer_id"),
    /** The referral or reward it was assigned for. The unique index allows one code per assignment. */
    assignmentId: uuid("assignment_id"),
    assignedAt: timestampTz("assigned_at"),
  },
  (t) => [
    primaryKey({ name: "codes_pkey", columns: [t.appId, t.id] }),
    // A text stays one code forever; used by the import's ON CONFLICT.
    uniqueIndex("codes_code").on(t.appId, t.platform, t.code, t.useNumber),
    // The code of a referral or a reward.
    uniqueIndex("codes_assignment").on(t.appId, t.assignmentId).where(sql`assignment_id is not null`),
    // lock_code: the free codes of a batch from a random slot on. No other index orders by slot, so a plan that does not sort
    // cannot walk the primary key past every used code.
    index("codes_free").on(t.appId, t.batchId, t.slot).where(sql`status = 'available'`),
  ],
);

/** A dead code replaced by support. The primary key is the rule that a code is replaced at most once. */
export const codeReplacements = pgTable(
  "code_replacements",
  {
    appId: appId(),
    /** The referral or the reward. */
    assignmentId: uuid("assignment_id").notNull(),
    oldCodeId: uuid("old_code_id").notNull(),
    newCodeId: uuid("new_code_id").notNull(),
    reason: text("reason").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "code_replacements_pkey", columns: [t.appId, t.assignmentId, t.oldCodeId] }),
    uniqueIndex("code_replacements_new").on(t.appId, t.newCodeId),
  ],
);

/**
 * The end users who have had a code of a named store offer, as a referee or as a referrer. The primary key is the rule
 * that they never get two: a store lets a customer redeem one code per offer.
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
