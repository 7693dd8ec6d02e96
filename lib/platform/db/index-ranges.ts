import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The highest character: any text that begins with a prefix sorts before the prefix followed by it. */
const LAST = "\u{10ffff}";

/** Whether a text that sorts by bytes (`COLLATE "C"`) begins with `prefix`, as a range that an index answers. */
export function beginsWith(column: SQLWrapper, prefix: SQLWrapper | string): SQL {
  return sql`(${column} >= ${prefix} and ${column} < ${prefix} || ${LAST})`;
}

/** The smallest UUIDv7 of a time: every lower id is older, so the primary key finds old rows in order. */
export function firstIdAt(at: Date): string {
  const digits = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** The creation time of a UUIDv7, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

/** Lower than every id: the start of a walk along a primary key. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";
