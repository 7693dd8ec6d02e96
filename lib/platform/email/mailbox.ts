import { desc } from "drizzle-orm";
import type { EmailDestination } from "@/lib/contract/form-state";
import type { Db } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { DUE_EMAILS } from "@/lib/platform/email/send";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { lateOf, readBacklogs } from "@/lib/platform/jobs/backlog";

/** The number of emails that the page shows. */
const SHOWN = 50;

export interface ShownEmail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
}

/**
 * True if emails can be read at /mailbox. Their links give access to any account, so it is disabled in production unless
 * the operator enables it.
 */
export function mailboxEnabled(): boolean {
  const { MAILBOX, NODE_ENV, SMTP_URL } = env();
  return MAILBOX === "on" || (NODE_ENV === "development" && !SMTP_URL);
}

/** The newest emails, sent or not. Throws NOT_FOUND where the mailbox is disabled. */
export async function listRecentEmails(db: Db): Promise<ShownEmail[]> {
  if (!mailboxEnabled()) fail("NOT_FOUND", "The mailbox is disabled");
  const { id, recipient, subject, text, createdAt } = emails;
  return db.orm
    .select({ id, recipient, subject, text, createdAt })
    .from(emails)
    .orderBy(desc(emails.id))
    .limit(SHOWN);
}

/** Where a user finds an email that a form is about to send. */
export async function emailDestination(db: Db): Promise<EmailDestination> {
  if (mailboxEnabled()) return "mailbox";
  if (!env().SMTP_URL) return "log";
  return lateOf(await readBacklogs(db, [DUE_EMAILS])).length > 0 ? "late" : "inbox";
}
