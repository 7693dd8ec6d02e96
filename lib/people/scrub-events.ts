import { type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { scrubWebhooks } from "./scrub-webhooks";
import { walkRows } from "./walk-rows";

/** Who is to be forgotten, and what stands in place of the uid. */
interface Forgotten {
  uid: string;
  pseudonym: string;
  /** Ids of the person's referrals: an event linked to one by hand may name nobody that is known. */
  referrals: string[];
}

/**
 * Takes a person out of what providers sent and of what is still to be told to the outside. Returns how many rows
 * named the person.
 */
export async function scrubEvents(ctx: Context, { uid, pseudonym, referrals }: Forgotten): Promise<number> {
  const walk = (table: "provider_events" | "outbox", change: SQL) =>
    walkRows(ctx.db, { table, tenant: sql`app_id = ${ctx.app.id}` }, change);
  let scrubbed = await walk(
    "provider_events",
    sql`update provider_events
           set uids = array[${pseudonym}], payload = '{}', links = '[]', headers = '{}', purchase_id = null,
               matched_by = null
         where (${uid} = any(uids) or referral_id = any(${sql.param(referrals)}::uuid[])
            or links @> jsonb_build_array(jsonb_build_object('from', ${uid}::text))
            or links @> jsonb_build_array(jsonb_build_object('to', ${uid}::text)))`,
  );
  scrubbed += await unlink(ctx, uid);
  for (const field of ["uid", "referee_uid"]) {
    scrubbed += await walk(
      "outbox",
      sql`update outbox set payload = payload || jsonb_build_object(${field}::text, ${pseudonym}::text)
           where payload ->> ${field}::text = ${uid}`,
    );
  }
  return scrubbed + (await scrubWebhooks(ctx, uid, pseudonym));
}

/** What the provider's ids have in common with this one, and what waits for it. */
async function unlink({ app, db }: Context, uid: string): Promise<number> {
  const links = sql`delete from identity_links where app_id = ${app.id} and (from_uid = ${uid} or to_uid = ${uid})`;
  const waiting = sql`delete from waiting_uids where app_id = ${app.id} and id = any(array(
    select id from waiting_uids where app_id = ${app.id} and uid = ${uid}))`;
  await db.orm.execute(waiting);
  return (await db.orm.execute(links)).rowCount ?? 0;
}
