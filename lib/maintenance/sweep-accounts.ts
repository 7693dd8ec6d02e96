import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { CHUNK, deleteRows, idFrom, inChunks } from "@/lib/maintenance/chunks";

const DAY = 24 * 3_600_000;

/** Sent mail is kept this long, to answer whether and when it left. */
const MAIL_AGE = 30 * DAY;

// The array is made once, before the delete, so that the limit is one for the whole statement.
function deleteMails(before: Date): SQL {
  return sql`delete from mails where id = any(array(
    select id from mails where id < ${idFrom(before)} and (sent_at is not null or failed_at is not null)
     order by id limit ${CHUNK}))`;
}

/**
 * Links that have expired; and with its last link a sign-up that nobody confirmed, so that the address is free for
 * another try. The rows counted are the links.
 */
function deleteTokens(now: Date): SQL {
  return sql`with gone as (
      delete from account_tokens where token_hash = any(array(
        select token_hash from account_tokens where expires_at < ${now} limit ${CHUNK})) returning user_id),
    nobody as (
      delete from users where email_verified_at is null and id in (select user_id from gone)
         and not exists (select from account_tokens t where t.user_id = users.id and t.expires_at >= ${now}))
    select from gone`;
}

/** Deletes mail, links and sign-ups that are over; returns how many rows went. */
export async function sweepAccounts(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - MAIL_AGE);
  const mails = await inChunks(() => deleteRows(db, deleteMails(before)));
  return mails + (await inChunks(() => deleteRows(db, deleteTokens(now))));
}
