import { and, getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Db, retryInterrupted } from "@/lib/platform/db/client";
import { firstIdAt, NIL_ID } from "@/lib/platform/db/index-ranges";

/** Type of a cursor's value. A cursor holds the ordering values of the last row, as text that keeps every digit. */
type KeyType = "timestamptz" | "uuid" | "text" | "int";

const SHAPES: Record<KeyType, RegExp> = {
  timestamptz: /^\d{4}-\d\d-\d\d ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d){0,2}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  text: /^[^\0]{0,1000}$/su,
  int: /^\d{1,9}$/,
};

/** Whether a text shaped like a time begins with a day that exists: PostgreSQL refuses 30 February. */
function isOnCalendar(time: string): boolean {
  const day = time.slice(0, 10);
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** A cursor from ordering values, safe in an address. */
function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a cursor; undefined for any other text, so that the list begins at the start. */
function decodeCursor(cursor: string | undefined, types: readonly KeyType[]): string[] | undefined {
  if (!cursor) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(values) || values.length !== types.length) return undefined;
    const valid = types.every((type, n) => {
      const value: unknown = values[n];
      if (typeof value !== "string" || !SHAPES[type].test(value)) return false;
      return type !== "timestamptz" || isOnCalendar(value);
    });
    return valid ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum rows examined for one page: a rare filter over a million rows answers as fast as over a thousand. */
export const SCAN_ROWS = 10_000;

/** A key that a list is ordered by: a column of an index, or an expression of it. */
export interface Key {
  by: SQLWrapper;
  type: KeyType;
}

export interface Walk {
  /** The condition on the first columns of the index: the tenant, and any further restriction. */
  within: SQL | undefined;
  /** The next columns of the index, together unique. A last key that the index lacks only breaks ties. */
  keys: readonly Key[];
  order: "asc" | "desc";
  /** A further condition on the rows. */
  filter?: SQL | undefined;
  cursor?: string | undefined;
  size: number;
  /** Rows examined in place of {@link SCAN_ROWS}, for a filter that takes long. */
  scan?: number | undefined;
}

interface Walked<Row> {
  data: Row[];
  /** The start of the next page; null at the end. */
  nextCursor: string | null;
}

/** The order of ids, which is the order of time; the primary key provides it after the tenant. */
export function newestFirst(id: PgColumn): Pick<Walk, "keys" | "order"> {
  return { keys: [{ by: id, type: "uuid" }], order: "desc" };
}

/** Newest first along an index of time, in which two rows may have the same time. */
export function newestByTime(createdAt: PgColumn, id: PgColumn): Pick<Walk, "keys" | "order"> {
  const keys: Key[] = [
    { by: createdAt, type: "timestamptz" },
    { by: id, type: "uuid" },
  ];
  return { keys, order: "desc" };
}

/**
 * A page of a list along an index, for which at most `scan` rows are examined. A page with fewer rows than
 * requested and a cursor may have more matches further on.
 */
export async function walkPage<Table extends PgTable>(
  db: Db,
  table: Table,
  { within, keys, order, filter, cursor, size, scan = SCAN_ROWS }: Walk,
): Promise<Walked<Table["$inferSelect"]>> {
  const from = beyond(keys, order, cursor);
  const window: Window = { table, where: and(within, from), keys, by: inOrder(keys, order), scan };
  const rows = await read(db, window, { filter, order, rows: size + 1 });
  const page = rows.slice(0, size);
  // The end of the window matters only if it held too few rows.
  const end = filter && rows.length <= size ? await lastExamined(db, window) : undefined;
  const last = rows.length > size ? page.at(-1)?.orderingValues : end;
  return {
    data: page.map(({ row }) => row as Table["$inferSelect"]),
    nextCursor: last ? encodeCursor(last) : null,
  };
}

interface Window {
  table: PgTable;
  where: SQL | undefined;
  keys: readonly Key[];
  by: SQL;
  scan: number;
}

const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `);
const keyName = (n: number) => sql.identifier(`key_${n}`);
const inOrder = (keys: readonly Key[], order: string) =>
  list(keys.map(({ by }) => sql`${by} ${sql.raw(order)}`));
const orderingValues = (keys: readonly Key[]) =>
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
 * Rows of the examined part of the index. The subquery has the table's own name, so that filters apply to it, and the
 * keys as columns, or the planner would sort again. Reading stops as soon as there are enough rows.
 */
async function read(
  db: Db,
  { table, where, keys, by, scan }: Window,
  { filter, order, rows }: { filter: SQL | undefined; order: string; rows: number },
) {
  const keyed = keys.map((key, n) => [`key_${n}`, sql`${key.by}`.as(`key_${n}`)]);
  const window = db.orm
    .select({ ...getTableColumns(table), ...Object.fromEntries(keyed) })
    .from(table)
    .where(where)
    .orderBy(by)
    .limit(filter ? scan : rows)
    .as(getTableName(table));
  const columns = Object.keys(getTableColumns(table)).map((name) => [name, window[name]]);
  return db.orm
    .select({
      row: Object.fromEntries(columns) as Record<string, PgColumn>,
      orderingValues: orderingValues(keys),
    })
    .from(window)
    .where(filter)
    .orderBy(list(keys.map((_, n) => sql`${keyName(n)} ${sql.raw(order)}`)))
    .limit(rows);
}

/** The ordering values of the last examined row; undefined if the list ended earlier. */
async function lastExamined(db: Db, { table, where, keys, by, scan }: Window): Promise<string[] | undefined> {
  const { rows } = await db.orm.execute<{ values: string[] }>(sql`
    select ${orderingValues(keys)} as values from (
      select ${list(keys.map((key, n) => sql`${key.by} as ${keyName(n)}`))} from ${table}
       where ${where} order by ${by} offset ${scan - 1} limit 1) s`);
  return rows[0]?.values;
}

/** Rows read per statement. */
const WINDOW = 5_000;

interface TenantRows {
  table: "provider_events" | "outbox" | "audit_log" | "webhook_deliveries" | "idempotency_keys";
  /** The columns before the last one in the table's key. */
  tenant: SQL;
  /** Only rows that are not older. */
  since?: Date | undefined;
}

/** Conditions that select a tenant's rows by windows of ids, or idempotency keys, so that every statement is short. */
export async function* windowsOf(db: Db, { table, tenant, since }: TenantRows): AsyncGenerator<SQL> {
  const byKey = table === "idempotency_keys";
  const id = sql.identifier(byKey ? "key" : "id");
  let last: unknown = byKey ? "" : since ? firstIdAt(since) : NIL_ID;
  for (;;) {
    const { rows } = await db.orm.execute<{ id: string }>(
      sql`select ${id} as id from ${sql.identifier(table)} where ${tenant} and ${id} > ${last} order by ${id} limit ${WINDOW}`,
    );
    const end = rows.at(-1)?.id;
    if (!end) return;
    yield sql`${tenant} and ${id} > ${last} and ${id} <= ${end}`;
    if (rows.length < WINDOW) return;
    last = end;
  }
}

/** Runs an `update ... where ...` over a tenant's rows, in windows outside transactions; returns the number updated. */
export async function walkRows(db: Db, rows: TenantRows, change: SQL): Promise<number> {
  let changed = 0;
  for await (const within of windowsOf(db, rows)) {
    const statement = sql`${change} and ${within}`;
    changed += (await retryInterrupted(async () => db.orm.execute(statement))).rowCount ?? 0;
  }
  return changed;
}

/** The rows that a query finds in each window of a tenant's rows. */
export async function readWindows<Row>(
  db: Db,
  rows: TenantRows,
  find: (within: SQL) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const within of windowsOf(db, rows)) found.push(...(await find(within)));
  return found;
}
