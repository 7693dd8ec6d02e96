import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";

/** Rows looked at by one statement. */
const WINDOW = 5_000;

const NIL = "00000000-0000-0000-0000-000000000000";

interface Rows {
  table: "provider_events" | "outbox" | "audit_log";
  /** What the table's key begins with, before the id. */
  tenant: SQL;
}

/**
 * Runs an `update ... where ...` over a tenant's rows by id, so that no statement takes long however many there are.
 * Returns how many it changed.
 */
export async function walkRows(db: Db, { table, tenant }: Rows, change: SQL): Promise<number> {
  let last = NIL;
  let changed = 0;
  for (;;) {
    const { rows } = await db.orm.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where ${tenant} and id > ${last} order by id limit ${WINDOW}`,
    );
    const end = rows.at(-1)?.id;
    if (!end) return changed;
    const done = await db.orm.execute(sql`${change} and ${tenant} and id > ${last} and id <= ${end}`);
    changed += done.rowCount ?? 0;
    if (rows.length < WINDOW) return changed;
    last = end;
  }
}
