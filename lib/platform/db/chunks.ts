import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";

/** Maximum rows that one statement deletes, so that its locks last milliseconds whatever has piled up. */
export const CHUNK = 1_000;

/** The time of the database: a machine whose clock is wrong must delete nothing early. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await db.orm.execute<{ ms: number }>(
    sql`select extract(epoch from now())::float8 * 1000 as ms`,
  );
  return new Date(rows[0]?.ms ?? 0);
}

/** Runs a delete; returns the number of deleted rows. */
export async function deleteRows(db: Db, statement: SQL): Promise<number> {
  return (await db.orm.execute(statement)).rowCount ?? 0;
}

/** Repeats a bounded delete until it finds less than a full chunk; returns the number of deleted rows. */
export async function inChunks(remove: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await remove();
    total += removed;
    if (removed < CHUNK) return total;
  }
}
