import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns";

/** E-mail to be sent, written with the change that causes it, and for a while after. */
export const mails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When it is to be tried next. */
    dueAt: moment("due_at").notNull().defaultNow(),
    sentAt: moment("sent_at"),
    /** Given up after the last attempt. */
    failedAt: moment("failed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // The sender: what is due.
    index("mails_due").on(t.dueAt).where(sql`sent_at is null and failed_at is null`),
  ],
);
