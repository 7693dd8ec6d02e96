import { eq, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { mailboxEnabled } from "@/lib/platform/email/mailbox";
import { type Deliver, deliver, type QueuedEmail } from "@/lib/platform/email/transport";
import type { Queue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";

/** Concurrent emails: three connections send them well within {@link LEASE}. */
const CONCURRENCY = 10;

/** Duration of a lease; after a crash another process takes over at its end. */
const LEASE = "15 minutes";

/** Minutes until the next attempt, by the number of attempts so far; after the last one the email has failed. */
const WAITS = [1, 5, 15, 60, 240, 720];

/** An email that this process has leased. */
interface LeasedEmail extends QueuedEmail {
  attempts: number;
}

/** Leases due emails. The rows are locked for this statement only; from then on the later `due_at` is the lease. */
export async function leaseEmails(db: Db, now: Date, limit: number): Promise<LeasedEmail[]> {
  const { rows } = await db.orm.execute<LeasedEmail & Record<string, unknown>>(sql`
    update mails set attempts = attempts + 1, due_at = ${now}::timestamptz + ${LEASE}::interval
     where id = any(array(
       select id from mails where sent_at is null and failed_at is null and due_at <= ${now}
        order by due_at limit ${limit} for update skip locked))
    returning id, recipient, subject, text, attempts`);
  return rows;
}

/**
 * Stores the final state of an email. Its text may contain a link that gives access to an account, so it is deleted
 * as soon as possible.
 */
async function finish(db: Db, id: string, end: { sentAt: Date } | { failedAt: Date }): Promise<void> {
  const text = mailboxEnabled() ? {} : { text: "" };
  await db.orm
    .update(emails)
    .set({ ...end, ...text })
    .where(eq(emails.id, id));
}

/**
 * A 5xx to the address or the message is final. A 5xx to a greeting or a login is for the operator to fix, so it is
 * retried.
 */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500;
}

async function postpone(db: Db, email: LeasedEmail, error: unknown, now: Date): Promise<void> {
  const { id, attempts } = email;
  const minutes = WAITS[attempts - 1];
  const reason = error instanceof Error ? error.message : String(error);
  const line = { email: id, attempts, reason };
  if (minutes === undefined || isFinal(error)) {
    log().error(line, "an email could not be sent and was given up");
    return finish(db, id, { failedAt: now });
  }
  log().warn(line, `an email could not be sent and is tried again in ${minutes} min`);
  const dueAt = new Date(now.getTime() + minutes * 60_000);
  await db.orm.update(emails).set({ dueAt }).where(eq(emails.id, id));
}

/**
 * Sends a leased email and stores its final state or the time of the next attempt. Only a process that dies between
 * the two causes a second copy.
 */
export async function sendLeasedEmail(
  db: Db,
  email: LeasedEmail,
  now = new Date(),
  send: Deliver = deliver,
): Promise<void> {
  try {
    await send(email);
  } catch (error) {
    return postpone(db, email, error, now);
  }
  await finish(db, email.id, { sentAt: now });
}

/** The due emails. A requested link is sent within about a second. */
export function emailQueue(db: Db): Queue<LeasedEmail> {
  return {
    name: "emails",
    take: (limit) => leaseEmails(db, new Date(), limit),
    work: (email) => sendLeasedEmail(db, email),
    concurrency: CONCURRENCY,
    pollMs: 1_000,
  };
}
