import { sql } from "drizzle-orm";
import { boolean, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, timestampTz } from "./columns";

/** The channels of an app's alerts beside the email to its owners and admins. */
export const alertChannels = pgTable(
  "alert_channels",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    type: text("type", { enum: ["slack", "discord", "mail"] }).notNull(),
    /** The owner's name for it; empty shows its target. */
    name: text("name").notNull(),
    /** An incoming webhook's address, which is itself a secret, or an email address. */
    target: text("target").notNull(),
    kinds: text("kinds").array().notNull().default(sql`'{}'::text[]`),
    enabled: boolean("enabled").notNull().default(true),
    /** Why the channel was disabled (its address is gone), or why its last post was not accepted. */
    stoppedBecause: text("stopped_because"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "alert_channels_pkey", columns: [t.appId, t.id] })],
);

/** The problems of an app that its owners were notified about. A solved one loses its row and can alert again. */
export const alerts = pgTable(
  "alerts",
  {
    appId: appId(),
    kind: text("kind").notNull(),
    /** The id of the pool, batch, connection or endpoint concerned, a month, or the kind itself. */
    subject: text("subject").notNull(),
    title: text("title").notNull(),
    detail: text("detail").notNull(),
    /** The page that solves it, below the app's own path. */
    path: text("path").notNull(),
    notifiedAt: timestampTz("told_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "alerts_pkey", columns: [t.appId, t.kind, t.subject] }),
    // The round that follows backlogs: apps that were notified about one.
    index("alerts_backlog").on(t.appId).where(sql`kind = 'backlog'`),
  ],
);

/** Alerts to be posted to chats. A post that was accepted or given up loses its row. */
export const alertPosts = pgTable(
  "alert_posts",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    channelId: uuid("channel_id").notNull(),
    title: text("title").notNull(),
    detail: text("detail").notNull(),
    url: text("url").notNull(),
    /** Attempts so far; negative during an attempt, which is counted. */
    attempts: integer("attempts").notNull().default(0),
    /** The time of the next attempt; during an attempt, the end of its lease. */
    dueAt: timestampTz("due_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "alert_posts_pkey", columns: [t.appId, t.id] }),
    // Due posts of all apps.
    index("alert_posts_due").on(t.dueAt),
  ],
);

/** The members who get an app's figures by email every week; a row is the switch of one member. */
export const weeklyEmails = pgTable(
  "weekly_emails",
  {
    appId: appId(),
    userId: uuid("user_id").notNull(),
    /** The secret of the links that switch it off without signing in. */
    token: uuid("token").notNull(),
    /** The Monday of the last week that was sent, or that needs no email. It admits one email a week. */
    sentWeek: date("sent_week", { mode: "string" }).notNull(),
  },
  (t) => [primaryKey({ name: "weekly_emails_pkey", columns: [t.appId, t.userId] })],
);
