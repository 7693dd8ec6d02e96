import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import * as schema from "@/lib/platform/db/schema";

/** A table to transfer, with the columns in the order of its rows. */
export interface TransferTable {
  name: string;
  columns: string[];
}

/** A table's rows in two figures that do not depend on their order or the server's version. */
export interface Digest {
  rows: number;
  /** The sum of 60 bits of each row's SHA-256. */
  checksum: string;
}

/** Every table of this version, by name. */
export function programTables(): TransferTable[] {
  const tables = Object.values(schema).flatMap((table) => (is(table, PgTable) ? getTableConfig(table) : []));
  return tables
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** `"codes" ("app_id", "id", ...)`, as COPY takes it. */
export function copyTarget({ name, columns }: TransferTable): string {
  return `${quoted(name)} (${columns.map(quoted).join(", ")})`;
}

/** Reads a whole table in the client's transaction. */
export async function digestTable(client: pg.Client, { name, columns }: TransferTable): Promise<Digest> {
  const row = `row(${columns.map(quoted).join(", ")})::text`;
  const bits = `('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 15))::bit(60)`;
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(${bits}::bigint), 0)::text as checksum from ${quoted(name)}`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), checksum: rows[0]?.checksum ?? "" };
}

/** Whether two digests are of the same rows. */
export const sameDigest = (a: Digest, b: Digest) => a.rows === b.rows && a.checksum === b.checksum;

/** The tables with rows in the program's schema, also those of other programs; an extension's own do not count. */
export async function filledTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class t
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = t.oid and deptype = 'e')
      order by 1`,
  );
  const filled: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount) filled.push(name);
  }
  return filled;
}

/** Removes the rows that an interrupted transfer left. */
export async function emptyTable(client: pg.Client, { name }: TransferTable): Promise<void> {
  await client.query(`truncate ${quoted(name)}`);
}
