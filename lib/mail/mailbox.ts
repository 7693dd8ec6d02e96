import { desc } from "drizzle-orm";
import type { MailPlace } from "@/lib/contract/mail-place";
import type { Db } from "@/lib/db/client";
import { mails } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";

/** The newest mails that the page shows. */
const SHOWN = 50;

export interface ShownMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
}

/**
 * Whether mails can be read at /mailbox. Whoever reads them can take over any account, so it is shut in production
 * unless the operator opens it.
 */
export function mailboxOpen(): boolean {
  const { MAILBOX, NODE_ENV, SMTP_URL } = env();
  return MAILBOX === "on" || (NODE_ENV === "development" && !SMTP_URL);
}

/** The newest mails, sent or not. Throws NOT_FOUND where the mailbox is shut. */
export async function readMailbox(db: Db): Promise<ShownMail[]> {
  if (!mailboxOpen()) fail("NOT_FOUND", "There is no mailbox");
  const { id, recipient, subject, text, createdAt } = mails;
  return db.orm
    .select({ id, recipient, subject, text, createdAt })
    .from(mails)
    .orderBy(desc(mails.id))
    .limit(SHOWN);
}

/** Where a person finds the mail that was just promised. */
export function mailPlace(): MailPlace {
  if (mailboxOpen()) return "mailbox";
  return env().SMTP_URL ? "inbox" : "log";
}
