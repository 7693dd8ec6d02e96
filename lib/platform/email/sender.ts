import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { increase } from "@/lib/platform/counters";
import type { Db } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { mailboxEnabled } from "@/lib/platform/email/mailbox";
import { DUE_EMAILS, QUEUED_EMAILS } from "@/lib/platform/email/send";
import { type Deliver, deliver, type QueuedEmail } from "@/lib/platform/email/transport";
import { LEASE_S, type Queue } from "@/lib/platform/jobs/queue";
import { untilStored } from "@/lib/platform/jobs/until-stored";
import { log } from "@/lib/platform/log";

const LEASE = sql`make_interval(secs => ${LEASE_S})`;

/** Minutes until the next attempt by the attempts so far, unless a shorter wait leaves its link working; then it has failed. */
const WAITS = [1, 5, 15, 60, 240, 720];

/** An email that this process has leased. */
interface LeasedEmail extends QueuedEmail {
  attempts: number;
  /** Minutes for which the link that was created with it still works; infinite without one. */
  works: number;
}

/** The time of the database, like that of the leases, because machines' clocks differ; tests bring their own. */
const timeOr = (at?: Date): SQL<Date> => (at ? sql`${at}::timestamptz` : sql`now()`);

/**
 * Leases due emails, last those that a user may switch off: no link waits for thousands of weekly emails. The rows are
 * locked for this statement only; from then on the later `due_at` is the lease. Tests bring their own time.
 */
export async function leaseEmails(db: Db, limit: number, at?: Date): Promise<LeasedEmail[]> {
  const now = timeOr(at);
  const { rows } = await db.orm.execute<LeasedEmail & Record<string, unknown>>(sql`
    update mails set attempts = attempts + 1, due_at = ${now} + ${LEASE}
     where id = any(array(
       select id from mails where sent_at is null and failed_at is null and due_at <= ${now}
        order by unsubscribe_url is not null, due_at limit ${limit} for update skip locked))
    returning id, recipient, subject, text, unsubscribe_url as "unsubscribeUrl", attempts, (
      select coalesce(extract(epoch from min(expires_at) - ${now})::float8 / 60, 'infinity') from account_tokens t
       where t.email = recipient and t.created_at = mails.created_at) as works`);
  return rows;
}

/** Skips emails that another process has sent or postponed. */
async function extend(db: Db, leased: LeasedEmail[]): Promise<void> {
  const ids = leased.map(({ id }) => id);
  const under = sql`${emails.dueAt} < now() + ${LEASE}`;
  await db.orm
    .update(emails)
    .set({ dueAt: sql`now() + ${LEASE}` })
    .where(and(inArray(emails.id, ids), isNull(emails.sentAt), isNull(emails.failedAt), under));
}

/** Stores the end of an email. Its text may contain a link into an account, so it is deleted as soon as possible. */
async function finish(
  db: Db,
  id: string,
  end: { sentAt: SQL } | { failedAt: SQL; serverFailed: boolean },
): Promise<void> {
  const text = mailboxEnabled() ? {} : { text: "", unsubscribeUrl: null };
  await db.orm
    .update(emails)
    .set({ ...end, ...text })
    .where(eq(emails.id, id));
}

/** Whether an attempt failed at the mail server (connection, login or sender), as it would for every recipient. */
function isOfServer(error: unknown): boolean {
  const { code = "", responseCode, command } = error as Partial<Record<string, unknown>>;
  // RFC 4954: 530 asks for a login, in answer to any command.
  const isOfAll = command === "MAIL FROM" || responseCode === 421 || responseCode === 530;
  return (code !== "EENVELOPE" && code !== "EMESSAGE") || isOfAll;
}

/** A 5xx to the recipient or the message is final. Failures at the server are retried: the operator can fix them. */
const isFinal = (error: unknown): boolean =>
  !isOfServer(error) && Number((error as { responseCode?: number }).responseCode ?? 0) >= 500;

async function postpone(db: Db, email: LeasedEmail, error: unknown, at?: Date): Promise<void> {
  const { id, attempts, works } = email;
  const minutes = WAITS[attempts - 1] && WAITS.slice(0, attempts).findLast((wait) => wait < works);
  const line = { email: id, attempts, reason: error instanceof Error ? error.message : String(error) };
  if (minutes === undefined || isFinal(error)) {
    log().error(line, "an email could not be sent and was given up");
    // A message is refused for its content or its sender, not because its address was mistyped.
    const serverFailed = isOfServer(error) || (error as { command?: string }).command === "DATA";
    return finish(db, id, { failedAt: timeOr(at), serverFailed });
  }
  log().warn(line, `an email could not be sent and is tried again in ${minutes} min`);
  const dueAt = sql`${timeOr(at)} + make_interval(mins => ${minutes})`;
  await db.orm
    .update(emails)
    .set({ dueAt, serverFailed: isOfServer(error) })
    .where(eq(emails.id, id));
}

/**
 * Sends a leased email and stores the end, or when it is tried again. Only a process that dies between the two, or a
 * database that is away for longer than a lease, causes a second copy.
 */
export async function sendLeasedEmail(
  db: Db,
  email: LeasedEmail,
  at?: Date,
  send: Deliver = deliver,
): Promise<void> {
  try {
    if (email.works <= 0) throw new Error("its link does not work any more");
    await send(email);
  } catch (error) {
    increase("email_attempts", "failed");
    return untilStored(() => postpone(db, email, error, at));
  }
  increase("email_attempts", "sent");
  await untilStored(() => finish(db, email.id, { sentAt: timeOr(at) }));
}

/** The due emails. A requested link is sent within about a second. */
export function emailQueue(db: Db): Queue<LeasedEmail> {
  return {
    name: DUE_EMAILS.name,
    due: QUEUED_EMAILS,
    take: (limit) => leaseEmails(db, limit),
    extend: (leased) => extend(db, leased),
    lease: LEASE_S,
    work: (email) => sendLeasedEmail(db, email),
    // Over three connections.
    concurrency: 10,
  };
}
