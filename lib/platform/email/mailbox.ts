import { desc, sql } from "drizzle-orm";
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

/** The time of the newest finished email per lower-case address, if it failed within a week because of the address. */
export async function refusedAddresses(db: Db, addresses: string[]): Promise<Map<string, Date>> {
  if (addresses.length === 0) return new Map();
  // No index leads to an address, so the newest 10,000 emails are read.
  const { rows } = await db.orm.execute<{ address: string; ms: number }>(sql`select address, ms from (
      select distinct on (address) address, extract(epoch from created_at)::float8 * 1000 as ms, failed_at, server_failed
        from (select lower(recipient) as address, * from mails order by id desc limit 10000) m
       where coalesce(sent_at, failed_at) is not null and address = any(${sql.param(addresses.map((to) => to.toLowerCase()))})
       order by address, id desc) newest where failed_at > now() - interval '7 days' and not server_failed`);
  return new Map(rows.map(({ address, ms }) => [address, new Date(ms)]));
}

/** Where a user finds an email that a form is about to send. */
export async function emailDestination(db: Db): Promise<EmailDestination> {
  if (mailboxEnabled()) return "mailbox";
  if (!env().SMTP_URL) return "log";
  return lateOf(await readBacklogs(db, [DUE_EMAILS])).length > 0 ? "late" : "inbox";
}
