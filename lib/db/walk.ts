import { and, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/lib/db/client";
import { decodeCursor, encodeCursor, type KeyType } from "@/lib/db/cursor";
import { SCAN_ROWS, type Scanned } from "@/lib/db/scan";

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

/**
 * A page of a list along an index, in which {@link SCAN_ROWS} rows are looked at at most: like `scanPage`, but ordered
 * by other columns than the id. With fewer rows than asked for and a cursor, more may match further on.
 */
export async function walkPage<Table extends PgTable>(
  db: Db,
  table: Table,
  { within, keys, order, filter, cursor, size }: Walk,
): Promise<Scanned<Table["$inferSelect"]>> {
  const types = keys.map(({ type }) => type);
  const columns = list(keys.map(({ by }) => by));
  const compare = (than: ">" | "<" | ">=" | "<=", values: readonly string[] | undefined) =>
    values && sql`(${columns}) ${sql.raw(than)} (${list(values.map((value, n) => cast(value, types[n])))})`;
  const from = compare(order === "asc" ? ">" : "<", decodeCursor(cursor, types));
  const by = list(keys.map((key) => sql`${key.by} ${sql.raw(order)}`));
  const end = filter && (await placeAt(db, table, and(within, from), by, keys));
  const rows = await db.orm
    .select({ row: getTableColumns(table), place: placeOf(keys.map((key) => key.by)) })
    .from(table as PgTable)
    .where(and(within, from, filter, compare(order === "asc" ? "<=" : ">=", end)))
    .orderBy(by)
    .limit(size + 1);
  const page = rows.slice(0, size);
  const place = rows.length > size ? page.at(-1)?.place : end;
  return {
    data: page.map(({ row }) => row as Table["$inferSelect"]),
    nextCursor: place ? encodeCursor(place) : null,
  };
}

const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `);
const cast = (value: string, type = "text"): SQL => sql`${value}::${sql.raw(type)}`;
const placeOf = (values: readonly SQLWrapper[]) =>
  sql<string[]>`array[${list(values.map((value) => sql`${value}::text`))}]`;

/** Where the window ends. The values become text outside, once, and not for each row that is passed by. */
async function placeAt(
  db: Db,
  table: PgTable,
  where: SQL | undefined,
  by: SQL,
  keys: readonly Key[],
): Promise<string[] | undefined> {
  const name = (n: number) => sql.identifier(`key_${n}`);
  const { rows } = await db.orm.execute<{ place: string[] }>(sql`
    select ${placeOf(keys.map((_, n) => name(n)))} as place from (
      select ${list(keys.map((key, n) => sql`${key.by} as ${name(n)}`))} from ${table}
       where ${where} order by ${by} offset ${SCAN_ROWS - 1} limit 1) s`);
  return rows[0]?.place;
}
