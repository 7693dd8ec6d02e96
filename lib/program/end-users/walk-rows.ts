import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { firstIdAt, NIL_ID } from "@/lib/platform/db/index-ranges";

/** Rows read per statement. */
const WINDOW = 5_000;

interface Rows {
  table: "provider_events" | "outbox" | "audit_log" | "webhook_deliveries";
  /** The columns before the id in the table's key. */
  tenant: SQL;
  /** Only rows that are not older. */
  since?: Date | undefined;
}

/** Conditions on a tenant's rows, a window of ids each, so that every statement is short. */
export async function* windowsOf(db: Db, { table, tenant, since }: Rows): AsyncGenerator<SQL> {
  let last = since ? firstIdAt(since) : NIL_ID;
  for (;;) {
    const { rows } = await db.orm.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where ${tenant} and id > ${last} order by id limit ${WINDOW}`,
    );
    const end = rows.at(-1)?.id;
    if (!end) return;
    yield sql`${tenant} and id > ${last} and id <= ${end}`;
    if (rows.length < WINDOW) return;
    last = end;
  }
}

/** Runs an `update ... where ...` over a tenant's rows, a window at a time; returns how many rows it updated. */
export async function walkRows(db: Db, rows: Rows, change: SQL): Promise<number> {
  let changed = 0;
  for await (const within of windowsOf(db, rows)) {
    changed += (await db.orm.execute(sql`${change} and ${within}`)).rowCount ?? 0;
  }
  return changed;
}

/** Whether one of a list of links, `[{"from", "to"}]`, names a person. */
export const linksName = (links: SQL, uid: string): SQL => sql`(
  ${links} @> jsonb_build_array(jsonb_build_object('from', ${uid}::text))
  or ${links} @> jsonb_build_array(jsonb_build_object('to', ${uid}::text)))`;

/**
 * Whether a provider event names a person: by an id that was read from it, by a link, or, where no id was read, as a whole
 * JSON text of the payload. A delivery that could not be read has no ids, and an event of unknown type neither.
 */
export const eventNames = (uid: string): SQL => sql`(${uid} = any(uids) or ${linksName(sql`links`, uid)}
  or uids = '{}' and strpos(payload #>> '{}', ${JSON.stringify(uid)}) > 0)`;

/** Whether an event's payload lists a person among those who share a subscription, as Adapty's events of all of them do. */
export const listsSharing = (uid: string): SQL => sql`payload @> jsonb_build_object(
  'profiles_sharing_access_level', jsonb_build_array(jsonb_build_object('customer_user_id', ${uid}::text)))`;
