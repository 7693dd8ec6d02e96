import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { oneLine } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { emails } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { type DueRows, MAX_COUNTED } from "@/lib/platform/jobs/backlog";

/** Emails that are due, the longest due first. */
export const QUEUED_EMAILS = sql`
  select null::uuid as app_id, due_at as at from mails
   where sent_at is null and failed_at is null and due_at <= now() order by due_at`;

/** Longer than a lease, during which an email is under way; shorter than the pause after a third attempt. */
const UNDER_WAY = sql`interval '10 seconds'`;

/**
 * Emails that no process has taken, and, while no later one succeeds, those that failed three times or were given up within
 * the hour: because of the server itself, or of several recipients. A refused address counts if a user confirmed it.
 */
export const DUE_EMAILS: DueRows = {
  name: "emails",
  select: () => sql`
    (${QUEUED_EMAILS} limit ${sql.raw(String(MAX_COUNTED))}) union all
    (with sent as (select id, created_at from mails where sent_at is not null order by id desc limit 1), unsent as (
       select recipient, created_at, created_at as at, server_failed from mails
        where sent_at is null and failed_at is null and due_at > now()
          and (attempts > 3 or attempts = 3 and due_at > now() + ${UNDER_WAY}) union all
       select recipient, created_at, failed_at, server_failed and attempts > 3 from (
         select * from mails where id > coalesce((select id from sent), ${NIL_ID}) order by id desc limit 1000) m
        where failed_at > now() - interval '1 hour'
          and (server_failed or exists (select from users where email = lower(recipient) and email_verified_at is not null))) select null, at
       from (select at, min(recipient) over () <> max(recipient) over () or bool_or(server_failed) over () as dead
               from unsent where created_at > coalesce((select created_at from sent), '-infinity')) refused where dead)
    order by at`,
};

export interface NewEmail {
  to: string;
  subject: string;
  /** Plain text; its lines are sent unchanged. */
  text: string;
  /** For emails that a user may switch off: a POST to it does so, without signing in. */
  unsubscribeUrl?: string;
}

/**
 * Queues an email to be sent within seconds. Pass the transaction of its cause as `db`: neither happens without the
 * other, and a mail server that is away delays nothing.
 */
export async function sendEmail(db: Db, { to: recipient, subject, ...email }: NewEmail): Promise<void> {
  // A subject may contain names that users chose.
  await db.orm.insert(emails).values({ id: uuidv7(), recipient, subject: oneLine(subject), ...email });
}

/** The full address of a page, for links in emails. */
export function pageAddress(path: string): string {
  return env().APP_URL + path;
}
