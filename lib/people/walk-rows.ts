import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";

/** Rows looked at by one statement. */
const WINDOW = 5_000;

const NIL = "00000000-0000-0000-0000-000000000000";

interface Rows {
  table: "provider_events" | "outbox" | "audit_log" | "webhook_deliveries";
  /** What the table's key begins with, before the id. */
  tenant: SQL;
}

/** A tenant's rows by id as conditions, so that no statement takes long however many there are. */
export async function* windowsOf(db: Db, { table, tenant }: Rows): AsyncGenerator<SQL> {
  let last = NIL;
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

/** Runs an `update ... where ...` over a tenant's rows, a window at a time; returns how many it changed. */
export async function walkRows(db: Db, rows: Rows, change: SQL): Promise<number> {
  let changed = 0;
  for await (const within of windowsOf(db, rows)) {
    changed += (await db.orm.execute(sql`${change} and ${within}`)).rowCount ?? 0;
  }
  return changed;
}
