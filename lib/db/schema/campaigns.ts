import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** A referral program with dates and rules. */
export const campaigns = pgTable(
  "campaigns",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    /** `referral`: thresholds and automatic rewards, one active an app. `influencer`: several, rewards by hand. */
    type: text("type", { enum: ["referral", "influencer"] }).notNull(),
    name: text("name").notNull(),
    status: text("status", { enum: ["draft", "active", "paused", "ended"] }).notNull(),
    startsAt: moment("starts_at"),
    endsAt: moment("ends_at"),
    /** When it first became active; the newest of an app is its current campaign. */
    activatedAt: moment("activated_at"),
    /** No code is handed out whose batch expires within this many hours. */
    safetyMarginHours: integer("safety_margin_hours").notNull().default(24),
    /** `start`: the first store event confirms. `paid`: only one with money does. */
    confirmOn: text("confirm_on", { enum: ["start", "paid"] })
      .notNull()
      .default("start"),
    /** Lets a plain renewal confirm, which is open to fraud: the subscription may be older than the code. */
    confirmAnyRenewal: boolean("confirm_any_renewal").notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "campaigns_pkey", columns: [t.appId, t.id] }),
    // The race of two activations ends here.
    uniqueIndex("campaigns_one_active_referral")
      .on(t.appId)
      .where(sql`type = 'referral' and status = 'active'`),
    // The current campaign of a referrer that belongs to none in particular.
    index("campaigns_current")
      .on(t.appId, t.activatedAt)
      .where(sql`type = 'referral' and activated_at is not null`),
  ],
);
