import { and, desc, lt, type SQL, sql } from "drizzle-orm";
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
 * A page of a tenant's rows, newest first, that looks at {@link SCAN_ROWS} rows at most. The window is found on the
 * primary key alone; its oldest id bounds the filtered query, so that no plan walks further.
 */
export async function scanPage<Table extends Keyed>(
  db: Db,
  table: Table,
  { tenant, filter, cursor, size }: Scan,
): Promise<Scanned<Table["$inferSelect"]>> {
  const from = cursor === undefined ? undefined : lt(table.id, cursor);
  const newest = db.orm
    .select({ id: table.id })
    .from(table as PgTable)
    .where(and(tenant, from))
    .orderBy(desc(table.id));
  const [end] = filter === undefined ? [] : await newest.offset(SCAN_ROWS - 1).limit(1);
  const rows = await db.orm
    .select()
    .from(table as PgTable)
    .where(and(tenant, from, filter, end && sql`${table.id} >= ${end.id}`))
    .orderBy(desc(table.id))
    .limit(size + 1);
  const data = rows.slice(0, size) as (Table["$inferSelect"] & { id: string })[];
  const more = rows.length > size ? data.at(-1)?.id : (end?.id as string | undefined);
  return { data, nextCursor: more ?? null };
}
