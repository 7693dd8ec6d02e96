import { and, getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/lib/db/client";
import { decodeCursor, encodeCursor, type KeyType } from "@/lib/db/cursor";

/** Rows looked at for one page at most: a rare filter over a million rows answers as fast as over a thousand. */
export const SCAN_ROWS = 10_000;

/** What a list is ordered by: a column of an index, or an expression of it. */
export interface Key {
  by: SQLWrapper;
  type: KeyType;
}

export interface Walk {
  /** What the index begins with: the tenant, and what it is narrowed to. */
  within: SQL | undefined;
  /** What follows in the index; together unique. A last key that the index lacks only breaks ties. */
  keys: readonly Key[];
  order: "asc" | "desc";
  /** What else is wanted of a row. */
  filter?: SQL | undefined;
  cursor?: string | undefined;
  size: number;
}

interface Walked<Row> {
  data: Row[];
  /** Where to go on; null at the end. */
  nextCursor: string | null;
}

/** The order of ids, which is that of time: the primary key answers it after the tenant. */
export function newestFirst(id: PgColumn): Pick<Walk, "keys" | "order"> {
  return { keys: [{ by: id, type: "uuid" }], order: "desc" };
}

/** The newest first where the index is one of time, in which a moment may occur twice. */
export function newestByTime(createdAt: PgColumn, id: PgColumn): Pick<Walk, "keys" | "order"> {
  const keys: Key[] = [
    { by: createdAt, type: "timestamptz" },
    { by: id, type: "uuid" },
  ];
  return { keys, order: "desc" };
}

/**
 * A page of a list along an index, in which {@link SCAN_ROWS} rows are looked at at most. With fewer rows than asked for
 * and a cursor, more may match further on.
 */
export async function walkPage<Table extends PgTable>(
  db: Db,
  table: Table,
  { within, keys, order, filter, cursor, size }: Walk,
): Promise<Walked<Table["$inferSelect"]>> {
  const from = beyond(keys, order, cursor);
  const window: Window = { table, where: and(within, from), keys, by: inOrder(keys, order) };
  const rows = await read(db, window, { filter, order, rows: size + 1 });
  const page = rows.slice(0, size);
  // Only where the window held too few does it matter where it ends.
  const end = filter && rows.length <= size ? await lastOf(db, window) : undefined;
  const place = rows.length > size ? page.at(-1)?.place : end;
  return {
    data: page.map(({ row }) => row as Table["$inferSelect"]),
    nextCursor: place ? encodeCursor(place) : null,
  };
}

interface Window {
  table: PgTable;
  where: SQL | undefined;
  keys: readonly Key[];
  by: SQL;
}

const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `);
const keyName = (n: number) => sql.identifier(`key_${n}`);
const inOrder = (keys: readonly Key[], order: string) =>
  list(keys.map(({ by }) => sql`${by} ${sql.raw(order)}`));
const placeOf = (keys: readonly Key[]) =>
  sql<string[]>`array[${list(keys.map((_, n) => sql`${keyName(n)}::text`))}]`;

/** The rows after the cursor's, by a comparison of rows that an index answers. */
function beyond(keys: readonly Key[], order: "asc" | "desc", cursor: string | undefined): SQL | undefined {
  const values = decodeCursor(
    cursor,
    keys.map(({ type }) => type),
  );
  const cast = ({ type }: Key, n: number) => sql`${values?.[n]}::${sql.raw(type)}`;
  return (
    values &&
    sql`(${list(keys.map(({ by }) => by))}) ${sql.raw(order === "asc" ? ">" : "<")} (${list(keys.map(cast))})`
  );
}

/**
 * Rows of the part of the index that is looked at, which bears the table's own name, so that filters fit it. Reading
 * stops as soon as there are enough. The keys are columns of it, or the planner would sort it once more.
 */
async function read(
  db: Db,
  { table, where, keys, by }: Window,
  { filter, order, rows }: { filter: SQL | undefined; order: string; rows: number },
) {
  const keyed = keys.map((key, n) => [`key_${n}`, sql`${key.by}`.as(`key_${n}`)]);
  const window = db.orm
    .select({ ...getTableColumns(table), ...Object.fromEntries(keyed) })
    .from(table)
    .where(where)
    .orderBy(by)
    .limit(filter ? SCAN_ROWS : rows)
    .as(getTableName(table));
  const columns = Object.keys(getTableColumns(table)).map((name) => [name, window[name]]);
  return db.orm
    .select({ row: Object.fromEntries(columns) as Record<string, PgColumn>, place: placeOf(keys) })
    .from(window)
    .where(filter)
    .orderBy(
      sql.join(
        keys.map((_, n) => sql`${keyName(n)} ${sql.raw(order)}`),
        sql`, `,
      ),
    )
    .limit(rows);
}

/** The place of the last row that was looked at; undefined where the list ended before. */
async function lastOf(db: Db, { table, where, keys, by }: Window): Promise<string[] | undefined> {
  const { rows } = await db.orm.execute<{ place: string[] }>(sql`
    select ${placeOf(keys)} as place from (
      select ${list(keys.map((key, n) => sql`${key.by} as ${keyName(n)}`))} from ${table}
       where ${where} order by ${by} offset ${SCAN_ROWS - 1} limit 1) s`);
  return rows[0]?.place;
}
