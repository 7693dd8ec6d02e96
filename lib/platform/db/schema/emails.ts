import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, timestampTz } from "./columns";

/** Emails to be sent, written with the change that causes them, and sent ones of the last weeks. */
export const emails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    /** The address that a mail program calls to unsubscribe; null for emails that everyone needs. */
    unsubscribeUrl: text("unsubscribe_url"),
    attempts: integer("attempts").notNull().default(0),
    /** The time of the next attempt. */
    dueAt: timestampTz("due_at").notNull().defaultNow(),
    /** Whether the last attempt failed at the mail server itself, and not at the recipient or the message. */
    serverFailed: boolean("server_failed"),
    sentAt: timestampTz("sent_at"),
    /** Set after the last failed attempt. */
    failedAt: timestampTz("failed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // For the sender: due emails.
    index("mails_due").on(t.dueAt).where(sql`sent_at is null and failed_at is null`),
  ],
);
