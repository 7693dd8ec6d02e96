import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "@/lib/contract/format";
import { CHUNK, deleteRows, inChunks } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { sumOfAll } from "@/lib/platform/jobs/until-stored";

/** A salt is used on its day only. Deleted 47 hours after the day's start: the sweep's pause has the last hour of 48. */
function deleteSalts(now: Date): SQL {
  return sql`delete from visitor_salts
    where day <= (${now}::timestamptz at time zone 'UTC' - interval '47 hours')::date`;
}

function deleteQuotaUsage(now: Date): SQL {
  const before = sql`date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date - interval '24 months'`;
  return sql`delete from quota_usage where month < ${before} and workspace_id = any(array(
    select distinct workspace_id from quota_usage where month < ${before} limit ${CHUNK}))`;
}

/** Deletes expired rows that belong to no app; returns how many. */
export async function sweepGlobal(db: Db, now: Date): Promise<number> {
  return sumOfAll([deleteSalts(now), deleteQuotaUsage(now)], (statement) =>
    inChunks(() => deleteRows(db, statement)),
  );
}

/** Sent emails stay for support, who may need to know whether and when an email was sent. */
const EMAIL_AGE = 30 * DAY_MS;

// The array is built once, before the delete, so the limit holds for the whole statement.
function deleteEmails(before: Date): SQL {
  return sql`delete from mails where id = any(array(
    select id from mails where id < ${firstIdAt(before)} and (sent_at is not null or failed_at is not null)
     order by id limit ${CHUNK}))`;
}

/**
 * Deletes expired links, and with its last link an unconfirmed sign-up, so that the address is free again. A link whose
 * email waits stays, because it alone tells that the email is too late. The rows counted are the links.
 */
function deleteTokens(now: Date): SQL {
  return sql`with expired as (
      delete from account_tokens where token_hash = any(array(
        select token_hash from account_tokens l where expires_at < ${now} and not exists (
          select from mails m where m.recipient = l.email and m.created_at = l.created_at
             and m.sent_at is null and m.failed_at is null) limit ${CHUNK})) returning user_id),
    unconfirmed as (
      delete from users where email_verified_at is null and id in (select user_id from expired)
         and not exists (select from account_tokens t where t.user_id = users.id and t.expires_at >= ${now}))
    select from expired`;
}

/** Longer than a session lasts, and an hour less than the 15 days promised, for the sweep's pause. */
const SESSION_AGE = 15 * DAY_MS - HOUR_MS;

function deleteSessions(before: Date): SQL {
  return sql`delete from sessions where id = any(array(
    select id from sessions where created_at < ${before} limit ${CHUNK}))`;
}

/** The security log of accounts, as its page promises. */
const EVENT_AGE = 180 * DAY_MS;

function deleteEvents(before: Date): SQL {
  return sql`delete from account_events where id = any(array(
    select id from account_events where id < ${firstIdAt(before)} order by id limit ${CHUNK}))`;
}

/** An expired invitation stays listed for this long, so that it can be sent again. */
const INVITATION_AGE = 30 * DAY_MS;

function deleteInvitations(before: Date): SQL {
  return sql`delete from invitations where id = any(array(
    select id from invitations where expires_at < ${before} limit ${CHUNK}))`;
}

/** Deletes old emails, invitations, sessions and events, expired links and unconfirmed sign-ups; returns how many rows. */
export async function sweepAccounts(db: Db, now: Date): Promise<number> {
  const ago = (age: number) => new Date(now.getTime() - age);
  const statements = [
    deleteEmails(ago(EMAIL_AGE)),
    deleteInvitations(ago(INVITATION_AGE)),
    deleteSessions(ago(SESSION_AGE)),
    deleteEvents(ago(EVENT_AGE)),
    deleteTokens(now),
  ];
  return sumOfAll(statements, (statement) => inChunks(() => deleteRows(db, statement)));
}
