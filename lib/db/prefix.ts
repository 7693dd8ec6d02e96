import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The last character there is: nothing that begins with a text sorts behind the text and this. */
const LAST = "\u{10ffff}";

/** Whether a text that sorts by bytes (`COLLATE "C"`) begins with `prefix`; a range, which an index answers. */
export function beginsWith(column: SQLWrapper, prefix: SQLWrapper | string): SQL {
  return sql`(${column} >= ${prefix} and ${column} < ${prefix} || ${LAST})`;
}
