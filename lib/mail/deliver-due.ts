import { eq, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { mails } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { mailboxOpen } from "@/lib/mail/mailbox";
import { type Deliver, deliver, type QueuedMail } from "@/lib/mail/transport";

/** Mails that one round takes: three connections send them well within {@link LEASE}. */
export const BATCH = 10;

/** A taken mail belongs to its process this long; after a crash another one tries. */
const LEASE = "15 minutes";

/** Minutes until the next try, by the number of tries so far; after the last the mail is given up. */
const WAITS = [1, 5, 15, 60, 240, 720];

interface TakenMail extends QueuedMail {
  attempts: number;
}

/** Takes what is due. The rows are locked for this one statement only; from then on the later `due_at` keeps others off. */
async function take(db: Db, now: Date): Promise<TakenMail[]> {
  const { rows } = await db.orm.execute<TakenMail & Record<string, unknown>>(sql`
    update mails set attempts = attempts + 1, due_at = ${now}::timestamptz + ${LEASE}::interval
     where id = any(array(
       select id from mails where sent_at is null and failed_at is null and due_at <= ${now}
        order by due_at limit ${BATCH} for update skip locked))
    returning id, recipient, subject, text, attempts`);
  return rows;
}

/** The text may hold a link that opens an account: it is kept no longer than it is needed. */
async function finish(db: Db, id: string, end: { sentAt: Date } | { failedAt: Date }): Promise<void> {
  const kept = mailboxOpen() ? {} : { text: "" };
  await db.orm
    .update(mails)
    .set({ ...end, ...kept })
    .where(eq(mails.id, id));
}

/** 5xx to the address or the message will stay so. To a greeting or a login it is the operator's to mend: tried again. */
function isHopeless(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500;
}

async function putOff(db: Db, mail: TakenMail, error: unknown, now: Date): Promise<void> {
  const { id, attempts } = mail;
  const minutes = WAITS[attempts - 1];
  const reason = error instanceof Error ? error.message : String(error);
  const line = { mail: id, attempts, reason };
  if (minutes === undefined || isHopeless(error)) {
    log().error(line, "a mail was given up");
    return finish(db, id, { failedAt: now });
  }
  log().warn(line, `a mail could not be sent and is tried again in ${minutes} min`);
  const dueAt = new Date(now.getTime() + minutes * 60_000);
  await db.orm.update(mails).set({ dueAt }).where(eq(mails.id, id));
}

/**
 * Sends what is due; returns how many mails it took. Any number of processes may do it at once: each mail is taken by
 * one. A process that dies between sending and writing that down is the one way to a second copy.
 */
export async function deliverDue(db: Db, now = new Date(), send: Deliver = deliver): Promise<number> {
  const taken = await take(db, now);
  const work = taken.map(async (mail) => {
    try {
      await send(mail);
    } catch (error) {
      return putOff(db, mail, error, now);
    }
    await finish(db, mail.id, { sentAt: now });
  });
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected") throw result.reason;
  }
  return taken.length;
}
