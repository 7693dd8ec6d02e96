import { and, desc, getTableName, lt, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/lib/db/client";

/** Rows looked at for one page at most: a rare filter over a million rows answers as fast as over a thousand. */
export const SCAN_ROWS = 10_000;

interface Keyed extends PgTable {
  id: PgColumn;
}

export interface Scan {
  /** The tenant: `eq(table.appId, ctx.app.id)`. Its key must be (tenant, id). */
  tenant: SQL;
  /** What is wanted of the tenant's rows, in columns of the table. */
  filter: SQL | undefined;
  cursor: string | undefined;
  size: number;
}

export interface Scanned<Row> {
  data: Row[];
  /** Where to go on. With fewer rows than asked for: {@link SCAN_ROWS} were looked at, and older ones wait. */
  nextCursor: string | null;
}

/**
 * A page of a tenant's rows, newest first, that looks at {@link SCAN_ROWS} rows at most. The window bears the table's
 * name, so that the filter fits it; reading stops as soon as the page is full.
 */
export async function scanPage<Table extends Keyed>(
  db: Db,
  table: Table,
  { tenant, filter, cursor, size }: Scan,
): Promise<Scanned<Table["$inferSelect"]>> {
  const newest = db.orm
    .select()
    .from(table as PgTable)
    .where(and(tenant, cursor === undefined ? undefined : lt(table.id, cursor)))
    .orderBy(desc(table.id));
  const rows = await db.orm
    .select()
    .from(newest.limit(filter ? SCAN_ROWS : size + 1).as(getTableName(table)))
    .where(filter)
    .orderBy(desc(table.id))
    .limit(size + 1);
  const data = rows.slice(0, size) as (Table["$inferSelect"] & { id: string })[];
  if (rows.length > size) return { data, nextCursor: data.at(-1)?.id ?? null };
  return { data, nextCursor: filter ? await windowEnd(db, table, { tenant, cursor }) : null };
}

/** The oldest id that was looked at, on the primary key alone; null where nothing is older. */
async function windowEnd(
  db: Db,
  table: Keyed,
  { tenant, cursor }: Pick<Scan, "tenant" | "cursor">,
): Promise<string | null> {
  const [end] = await db.orm
    .select({ id: table.id })
    .from(table as PgTable)
    .where(and(tenant, cursor === undefined ? undefined : lt(table.id, cursor)))
    .orderBy(desc(table.id))
    .offset(SCAN_ROWS - 1)
    .limit(1);
  return (end?.id as string | undefined) ?? null;
}
