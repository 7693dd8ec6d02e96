import { sql } from "drizzle-orm";
import { boolean, date, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, bytea, bytesText, createdAt, timestampTz } from "./columns";

/**
 * Referral events in the state `clicked`. A redeem that names the click deletes its row and continues under its id in
 * `referrals`.
 */
export const clicks = pgTable(
  "clicks",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    /** HMAC of address and browser under the day's salt: a visitor counts once, and no personal data is stored. */
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

/**
 * The random salt under which a day's (UTC) visitors are hashed. Deleted within 48 hours; from then on not even the
 * holder of every secret can derive an address from a stored visitor. One for all apps, so it has no `app_id`.
 */
export const visitorSalts = pgTable("visitor_salts", {
  day: date("day", { mode: "string" }).primaryKey(),
  salt: bytea("salt").notNull(),
});

/** A referral from `code_assigned` on. The primary key is the anti-fraud rule: one code per referee and campaign. */
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
    clickedAt: timestampTz("clicked_at"),
    createdAt: createdAt(),
    confirmedAt: timestampTz("confirmed_at"),
    /** A refund: the referral no longer counts. */
    reversedAt: timestampTz("reversed_at"),
    /** The store's time of its trial, then of the earliest purchase that confirms it: earlier refunds do not count. */
    purchasedAt: timestampTz("purchased_at"),
    /** The store's time of the last refund or its withdrawal: an older event changes nothing. */
    turnedAt: timestampTz("turned_at"),
    /** In a campaign with a hold: the time from which a confirmed referral counts; null counts at once. */
    countsFrom: timestampTz("counts_from"),
    /** Confirmed and not counted yet; a round ends it once {@link countsFrom} has come. */
    held: boolean("held").notNull().default(false),
    /** The provider event that confirmed it. */
    confirmedBy: uuid("confirmed_by"),
    /** Its trial, whose payment confirms; then that event's purchase, stored longer: only its refund reverses. */
    confirmedPurchase: bytesText("confirmed_purchase"),
    /** The provider event that reversed it; null for a reversal by hand. */
    reversedBy: uuid("reversed_by"),
  },
  (t) => [
    primaryKey({ name: "referrals_pkey", columns: [t.appId, t.campaignId, t.refereeUid] }),
    // A referral by its own id: timelines, support.
    uniqueIndex("referrals_id").on(t.appId, t.id),
    // match_referral: the newest open assignment of a referee.
    index("referrals_referee").on(t.appId, t.refereeUid, t.createdAt),
    // The referrer's page, and the fraud rule's count of one day.
    index("referrals_referrer").on(t.appId, t.referrerId, t.createdAt),
    // The dashboard's list, newest first. Not by id, because a click's id is as old as its day.
    index("referrals_created").on(t.appId, t.createdAt, t.id),
    // The round that ends holds: those that are over, of all apps and of one.
    index("referrals_held").on(t.countsFrom, t.appId).where(sql`held`),
  ],
);

/**
 * Steps of referrals that a member undid: a redemption that was released, or a confirmation whose purchase was unlinked.
 * The figures of their days still count them.
 */
export const undoneSteps = pgTable(
  "undone_steps",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    referralId: uuid("referral_id").notNull(),
    /** The referral event that was undone. */
    step: text("step", { enum: ["code_assigned", "redeemed"] }).notNull(),
    campaignId: uuid("campaign_id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    refereeUid: bytesText("referee_uid").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    /** The void code of a released redemption. */
    codeId: uuid("code_id"),
    clickedAt: timestampTz("clicked_at"),
    /** The time of the step. */
    happenedAt: timestampTz("happened_at").notNull(),
    /** From then on a confirmation no longer counted. */
    reversedAt: timestampTz("reversed_at"),
    /** The time at which it was undone. */
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "undone_steps_pkey", columns: [t.appId, t.id] }),
    // counted_events: the steps of a referral.
    index("undone_steps_referral").on(t.appId, t.referralId),
    // A person's page, export and erasure.
    index("undone_steps_referee").on(t.appId, t.refereeUid),
  ],
);

/** The team's notes about an end user, above all about a referee: a referrer has notes in their own row as well. */
export const endUserNotes = pgTable(
  "end_user_notes",
  { appId: appId(), uid: bytesText("uid").notNull(), notes: text("notes").notNull() },
  (t) => [primaryKey({ name: "end_user_notes_pkey", columns: [t.appId, t.uid] })],
);

/**
 * Referees who found a pool empty or exceeded a cap, each once per campaign. The next codes are set aside for those who
 * wait, in the order of `place`, for 48 hours; a place ends after 30 days.
 */
export const refereesInLine = pgTable(
  "referees_in_line",
  {
    appId: appId(),
    campaignId: uuid("campaign_id").notNull(),
    refereeUid: bytesText("referee_uid").notNull(),
    platform: text("platform", { enum: ["ios", "android"] }).notNull(),
    referrerId: uuid("referrer_id").notNull(),
    /** UUIDv7: the order of arrival. */
    place: uuid("place").notNull(),
    /** The code that is set aside, and until when. */
    codeId: uuid("code_id"),
    reservedUntil: timestampTz("reserved_until"),
    /**
     * A referee beyond a cap is held for review; after an approval they wait like the others, and are `approved` once
     * their time for a code is over. A dismissed one gets no code.
     */
    state: text("state", { enum: ["waiting", "review", "dismissed", "approved"] })
      .notNull()
      .default("waiting"),
    /** The cap that this referee exceeded; null for a referee who only found the pool empty. */
    beyond: text("beyond", { enum: ["referrer_daily_cap", "codes_per_address"] }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "referees_in_line_pkey", columns: [t.appId, t.campaignId, t.refereeUid] }),
    // set_aside: the first in line.
    index("referees_in_line_place")
      .on(t.appId, t.campaignId, t.platform, t.place)
      .where(sql`code_id is null`),
    // A code is set aside for one referee.
    uniqueIndex("referees_in_line_code").on(t.appId, t.codeId).where(sql`code_id is not null`),
    // The brake: the referees that one referrer brought.
    index("referees_in_line_referrer").on(t.appId, t.referrerId),
    // An erasure.
    index("referees_in_line_referee").on(t.appId, t.refereeUid),
    // The round that ends places: over all apps.
    index("referees_in_line_until").on(t.reservedUntil).where(sql`reserved_until is not null`),
    index("referees_in_line_created").on(t.createdAt),
    // The list of those who wait for a review, the bound of its length, and those who were dismissed.
    index("referees_in_line_review").on(t.appId, t.state, t.place).where(sql`state <> 'waiting'`),
  ],
);

/** Times of erasures by the keyed hash of the uid: a request before one is stored without its person. */
export const erasedEndUsers = pgTable(
  "erased_people",
  {
    appId: appId(),
    uidHash: bytea("uid_hash").notNull(),
    /** The last erasure. */
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "erased_people_pkey", columns: [t.appId, t.uidHash] })],
);
