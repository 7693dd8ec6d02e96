import { type SQL, sql } from "drizzle-orm";
import { CHUNK } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { type Opened, readSecret, sealedPrefix, sealSecret } from "@/lib/platform/secrets/seal";
import { singleton } from "@/lib/platform/singleton";

/**
 * When a secret is in use, over its table as `t` and its app as `a`. A disabled or deleted row needs none. A second
 * factor that no key opens is only logged, because only its user can replace it.
 */
const USES = {
  app: sql`a.deleted_at is null`,
  enabled: sql`(a.deleted_at is null and t.enabled)`,
  grace: sql`(a.deleted_at is null and t.enabled and coalesce(t.former_until > now(), false))`,
  logged: sql`false`,
};

/** A table with sealed columns. A sealed text is bound to `<table>:<last column of the key>`. */
export interface SealedTable {
  name: string;
  /** Columns of type uuid that name a row. */
  key: readonly string[];
  columns: Readonly<Record<string, keyof typeof USES>>;
  /** Reads a stored value that predates the current format; the default also takes unsealed texts. */
  read?: (stored: string | Buffer, id: string) => Opened;
}

/** The numbers of secrets that a pass sealed with the first key, of those that no key opens, and of the latter in use. */
interface Resealed {
  sealed: number;
  unreadable: number;
  inUse: number;
}

type Row = Record<string, string | Buffer | boolean | null>;

/** The secrets in use of each table that no key opened when this process last read it. */
export const unreadableByTable = () => singleton("secrets.unreadable", () => new Map<string, number>());

/** The number of secrets in use that no key opened when this process last read them; undefined if it could open all. */
export const unreadableSecrets = (): number | undefined =>
  [...unreadableByTable().values()].reduce((sum, count) => sum + count, 0) || undefined;

/**
 * Seals with the first key what is stored unsealed or under another key; without `seals`, only tries to open it. A row
 * is updated only if its texts have not changed since they were read, so a pass can be interrupted, repeated and run in
 * several processes at once.
 */
export async function resealTable(db: Db, table: SealedTable, seals = true): Promise<Resealed> {
  const count = { sealed: 0, unreadable: 0, inUse: 0 };
  let after: unknown[] = table.key.map(() => NIL_ID);
  for (;;) {
    const rows = await readPage(db, table, after);
    for (const row of rows) {
      const resealed = await resealRow(db, table, row, seals);
      for (const name of ["sealed", "unreadable", "inUse"] as const) count[name] += resealed[name];
    }
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) break;
    after = table.key.map((name) => last[name]);
  }
  unreadableByTable().set(table.name, count.inUse);
  return count;
}

const list = (names: readonly string[], part: (name: string) => SQL, separator: SQL) =>
  sql.join(names.map(part), separator);

const column = (name: string) => sql`${sql.identifier(name)}`;

const ofTable = (name: string) => sql`t.${column(name)}`;

/** The name under which a page says whether the secret of a column is in use. */
const useOf = (name: string) => `${name}_in_use`;

/** The next rows with a value that the first key has not sealed. An empty text is not a secret. */
async function readPage(db: Db, { name, key, columns }: SealedTable, after: unknown[]): Promise<Row[]> {
  const prefix = sealedPrefix();
  const isOpen = (each: string) =>
    sql`(${ofTable(each)} <> '' and substring(${ofTable(each)} from 1 for ${prefix.length}::int) <> ${prefix})`;
  const ids = list(key, ofTable, sql`, `);
  const uses = sql.join(
    Object.entries(columns).map(([each, use]) => sql`${USES[use]} as ${column(useOf(each))}`),
    sql`, `,
  );
  const names = Object.keys(columns);
  const withApps = key[0] === "app_id" ? sql`join apps a on a.id = t.app_id` : sql``;
  const { rows } = await db.orm.execute<Row>(sql`
    select ${list([...key, ...names], ofTable, sql`, `)}, ${uses} from ${column(name)} t ${withApps}
     where (${ids}) > (${sql.join(
       after.map((id) => sql`${id}::uuid`),
       sql`, `,
     )}) and (${list(names, isOpen, sql` or `)})
     order by ${ids} limit ${CHUNK}`);
  return rows;
}

async function resealRow(db: Db, table: SealedTable, row: Row, seals: boolean): Promise<Resealed> {
  const { name, key, columns, read } = table;
  const id = String(row[key.at(-1) ?? ""]);
  const owner = `${name}:${id}`;
  const sealed = new Map<string, string>();
  const lostHere: string[] = [];
  for (const each of Object.keys(columns)) {
    const stored = row[each] as string | Buffer | null;
    if (!stored?.length || String(stored).startsWith(sealedPrefix())) continue;
    const { text, lost } = read ? read(stored, id) : readSecret(String(stored), owner);
    if (lost) lostHere.push(each);
    else if (seals) sealed.set(each, sealSecret(text, owner));
  }
  const found = { unreadable: lostHere.length, inUse: lostHere.filter((each) => row[useOf(each)]).length };
  if (sealed.size === 0) return { sealed: 0, ...found };
  const changed = [...sealed.keys()];
  const { rowCount } = await db.orm.execute(sql`
    update ${column(name)} set ${list(changed, (each) => sql`${column(each)} = ${sealed.get(each)}`, sql`, `)}
     where ${list(key, (each) => sql`${column(each)} = ${row[each]}`, sql` and `)}
       and ${list(changed, (each) => sql`${column(each)} = ${row[each]}`, sql` and `)}`);
  return { sealed: rowCount ? sealed.size : 0, ...found };
}
