import { type SQL, sql } from "drizzle-orm";
import { CHUNK } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { type Opened, readSecret, sealedPrefix, sealSecret } from "@/lib/platform/secrets/seal";
import { singleton } from "@/lib/platform/singleton";

/** A table with sealed columns. A sealed text is bound to `<table>:<last column of the key>`. */
export interface SealedTable {
  name: string;
  /** Columns of type uuid that name a row. */
  key: readonly string[];
  columns: readonly string[];
  /** Reads a stored value that predates the current format; the default also takes unsealed texts. */
  read?: (stored: string | Buffer, id: string) => Opened;
}

/** The numbers of secrets that a pass sealed with the first key, and of those that no key opens. */
interface Resealed {
  sealed: number;
  unreadable: number;
}

type Row = Record<string, string | Buffer | null>;

/** The secrets of each table that no key opened when this process last read it. */
const unreadableByTable = () => singleton("secrets.unreadable", () => new Map<string, number>());

/** The number of secrets that no key opened when this process last read them; undefined if it could open all. */
export const unreadableSecrets = (): number | undefined =>
  [...unreadableByTable().values()].reduce((sum, count) => sum + count, 0) || undefined;

/**
 * Seals with the first key what is stored unsealed or under another key, or, without `seals`, only tries to open it. A row is
 * updated only if its texts have not changed since they were read, so a pass can be interrupted, repeated and run in
 * several processes at once.
 */
export async function resealTable(db: Db, table: SealedTable, seals = true): Promise<Resealed> {
  const count = { sealed: 0, unreadable: 0 };
  let after: unknown[] = table.key.map(() => NIL_ID);
  for (;;) {
    const rows = await readPage(db, table, after);
    for (const row of rows) {
      const { sealed, unreadable } = await resealRow(db, table, row, seals);
      count.sealed += sealed;
      count.unreadable += unreadable;
    }
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) break;
    after = table.key.map((name) => last[name]);
  }
  unreadableByTable().set(table.name, count.unreadable);
  return count;
}

const list = (names: readonly string[], part: (name: string) => SQL, separator: SQL) =>
  sql.join(names.map(part), separator);

const column = (name: string) => sql`${sql.identifier(name)}`;

/** The next rows with a value that the first key has not sealed. An empty text is not a secret. */
async function readPage(db: Db, { name, key, columns }: SealedTable, after: unknown[]): Promise<Row[]> {
  const prefix = sealedPrefix();
  const isOpen = (each: string) =>
    sql`(${column(each)} <> '' and substring(${column(each)} from 1 for ${prefix.length}::int) <> ${prefix})`;
  const ids = list(key, column, sql`, `);
  const { rows } = await db.orm.execute<Row>(sql`
    select ${list([...key, ...columns], column, sql`, `)} from ${column(name)}
     where (${ids}) > (${sql.join(
       after.map((id) => sql`${id}::uuid`),
       sql`, `,
     )}) and (${list(columns, isOpen, sql` or `)})
     order by ${ids} limit ${CHUNK}`);
  return rows;
}

async function resealRow(db: Db, table: SealedTable, row: Row, seals: boolean): Promise<Resealed> {
  const { name, key, columns, read } = table;
  const id = String(row[key.at(-1) ?? ""]);
  const owner = `${name}:${id}`;
  const sealed = new Map<string, string>();
  let unreadable = 0;
  for (const each of columns) {
    const stored = row[each];
    if (!stored?.length || String(stored).startsWith(sealedPrefix())) continue;
    const { text, lost } = read ? read(stored, id) : readSecret(String(stored), owner);
    if (lost) unreadable += 1;
    else if (seals) sealed.set(each, sealSecret(text, owner));
  }
  if (sealed.size === 0) return { sealed: 0, unreadable };
  const changed = [...sealed.keys()];
  const { rowCount } = await db.orm.execute(sql`
    update ${column(name)} set ${list(changed, (each) => sql`${column(each)} = ${sealed.get(each)}`, sql`, `)}
     where ${list(key, (each) => sql`${column(each)} = ${row[each]}`, sql` and `)}
       and ${list(changed, (each) => sql`${column(each)} = ${row[each]}`, sql` and `)}`);
  return { sealed: rowCount ? sealed.size : 0, unreadable };
}
