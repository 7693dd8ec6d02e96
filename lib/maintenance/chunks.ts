import type { SQL } from "drizzle-orm";
import type { Db } from "@/lib/db/client";

/** Rows that one statement deletes at most: its locks last milliseconds, whatever has piled up. */
export const CHUNK = 1_000;

/** Runs a delete; returns how many rows went. */
export async function deleteRows(db: Db, statement: SQL): Promise<number> {
  return (await db.orm.execute(statement)).rowCount ?? 0;
}

/** Repeats a bounded delete until it finds less than a full chunk; returns how many rows went. */
export async function inChunks(remove: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await remove();
    total += removed;
    if (removed < CHUNK) return total;
  }
}

/** The smallest UUIDv7 of a moment: an id below it was made earlier, so the primary key finds old rows in order. */
export function idFrom(moment: Date): string {
  const digits = moment.getTime().toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
