import { type SQL, sql } from "drizzle-orm";
import { walkRows, windowsOf } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";
import { eventNames, linksName, listsSharing } from "./records";

/** A person to erase, and the pseudonym that replaces the uid; `since` leaves out older rows. */
export interface Forgotten {
  uid: string;
  pseudonym: string;
  since?: Date | undefined;
}

/** Values of an audit entry that identify a person, or that a member wrote about a person. */
export const PERSONAL = ["uid", "name", "handle", "notes", "reason", "q"];

/**
 * Removes a person from the audit log: the actions stay, but not the person's identity, nor a search for the person in the
 * log of the whole workspace. `subjects` are the ids of the person's referrer, referrals and rewards.
 */
export async function scrubAudit(
  ctx: Context,
  { uid, pseudonym, subjects, names, since }: Forgotten & { subjects: string[]; names: string[] },
): Promise<void> {
  const rows = { table: "audit_log", tenant: sql`workspace_id = ${ctx.workspace.id}`, since } as const;
  const named = sql`(subject_id = ${uid} or subject_name = ${uid})`;
  const searched = [uid, ...names].map((text) => text.toLowerCase());
  const personal = sql`${sql.param(PERSONAL)}::text[]`;
  // A search names the person if one text contains the other; with three characters it would name too many.
  const isSearch = sql`exists (
    select from unnest(${sql.param(searched)}::text[]) s, lower(after ->> 'q') q
     where s = q or least(length(s), length(q)) > 3 and (strpos(s, q) > 0 or strpos(q, s) > 0))`;
  await walkRows(
    ctx.db,
    rows,
    // A code is named by its last four characters, which stay.
    sql`update audit_log
           set subject_id = case when subject_id = ${uid} then ${pseudonym} else subject_id end,
               subject_name = case when ${named} or subject = 'referrer' then ${pseudonym} else subject_name end,
               before = before - ${personal}, after = after - ${personal}
         where (coalesce(app_id, ${ctx.app.id}) = ${ctx.app.id} and ${isSearch}
            or app_id = ${ctx.app.id} and (${named} or after ->> 'uid' = ${uid}
            or array[subject_id, before ->> 'referralId', after ->> 'referralId'] && ${sql.param(subjects)}::text[]))`,
  );
}

/**
 * Removes a person from provider events, the outbox and webhook deliveries; returns how many rows named them.
 * `referrals` are the ids of the person's referrals: an event linked to one by hand may name other ids only.
 */
export async function scrubEvents(
  ctx: Context,
  { uid, pseudonym, referrals, since }: Forgotten & { referrals: string[] },
): Promise<number> {
  const walk = (table: "provider_events" | "outbox", change: SQL) =>
    walkRows(ctx.db, { table, tenant: sql`app_id = ${ctx.app.id}`, since }, change);
  let scrubbed = await walk(
    "provider_events",
    sql`update provider_events
           set uids = array[${pseudonym}], payload = '{}', links = '[]', headers = '{}', purchase_id = null,
               matched_by = null
         where (${eventNames(uid)} or referral_id = any(${sql.param(referrals)}::uuid[]))`,
  );
  // An event of another id, which links through this person led to its referral.
  const led = linksName(sql`matched_by -> 'links'`, uid);
  scrubbed += await walk(
    "provider_events",
    sql`update provider_events set matched_by = matched_by - 'links' where ${led}`,
  );
  const shared = sql`update provider_events set payload = '{}' where ${listsSharing(uid)}`;
  scrubbed += await walk("provider_events", shared);
  scrubbed += await deleteLinks(ctx, { uid, pseudonym });
  for (const field of ["uid", "referee_uid"]) {
    scrubbed += await walk(
      "outbox",
      sql`update outbox set payload = payload || jsonb_build_object(${field}::text, ${pseudonym}::text)
           where payload ->> ${field}::text = ${uid}`,
    );
  }
  return scrubbed + (await scrubWebhooks(ctx, { uid, pseudonym, since }));
}

/**
 * Removes a referrer's name from responses stored under an Idempotency-Key; a retry then names the metacode. A repeated
 * response is found by its referral, because the metacode may have changed since. The sweep leaves two days of responses.
 */
export async function scrubResponses({ app, db }: Context, referrerId: string): Promise<void> {
  const tenant = sql`app_id = ${app.id} and operation = 'redeem'`;
  const scrubbed = sql`
    update idempotency_keys k
       set result = result #- '{name}' #- '{display_name}' #- '{redemption,name}' #- '{redemption,display_name}'
     where (result ->> 'referrer_id' = ${referrerId} or exists (
         select 1 from referrals f where f.app_id = ${app.id} and f.referrer_id = ${referrerId}
            and f.id = (k.result #>> '{redemption,referral_id}')::uuid))`;
  await walkRows(db, { table: "idempotency_keys", tenant }, scrubbed);
}

/**
 * Deletes the links of a uid with other ids, and the waiting entries of the uid and of its events. An event that a member
 * only tried with the uid still waits for its own ids. Returns the number of links.
 */
async function deleteLinks({ app, db }: Context, { uid, pseudonym }: Forgotten): Promise<number> {
  const links = sql`delete from identity_links where app_id = ${app.id} and (from_uid = ${uid} or to_uid = ${uid})`;
  const waiting = sql`delete from waiting_uids where app_id = ${app.id} and (uid = ${uid} or id = any(array(
    select id from provider_events where app_id = ${app.id} and uids @> array[${pseudonym}]::text[])))`;
  await db.orm.execute(waiting);
  return (await db.orm.execute(links)).rowCount ?? 0;
}

/** Removes a person from webhook deliveries and their responses, even those under way, which may repeat the payload. */
async function scrubWebhooks(ctx: Context, { uid, pseudonym, since }: Forgotten): Promise<number> {
  const appId = ctx.app.id;
  let scrubbed = 0;
  const rows = { table: "webhook_deliveries", tenant: sql`app_id = ${appId}`, since } as const;
  for await (const within of windowsOf(ctx.db, rows)) {
    for (const field of ["uid", "referee_uid", "referrer_uid"]) {
      const { rows } = await ctx.db.orm.execute<{ named: number }>(sql`
        with named as (
          update webhook_deliveries
             set payload = payload || jsonb_build_object(${field}::text, ${pseudonym}::text), takes = takes + 1
           where payload ->> ${field}::text = ${uid} and ${within} returning id
        ), answers as (
          update webhook_attempts a set response_headers = null, response_body = null from named
           where a.app_id = ${appId} and a.delivery_id = named.id
        )
        select count(*)::int as named from named`);
      scrubbed += rows[0]?.named ?? 0;
    }
  }
  return scrubbed;
}
