import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { namedConnection } from "@/lib/platform/db/client";
import { liftLimits } from "@/lib/platform/db/distribute";

/** Held by the session that builds until its build has ended, even if its client is killed before. */
const BUILD_LOCK = 7_261_905_115;
const ASK_AGAIN_MS = 500;

/** The largest table in bytes that is indexed within the migration, which takes less than a second. */
const SMALL_BYTES = 16 << 20;

const CONCURRENT = /^CREATE (UNIQUE )?INDEX CONCURRENTLY "(\w+)" ON "(\w+)"/im;
const DROP = /^DROP INDEX (?:IF EXISTS )?"(\w+)"/im;

/** An index that a migration wants built beside running writes. */
export interface ConcurrentIndex {
  name: string;
  table: string;
  /** Statements of this version rely on a unique index; any other index only makes them faster. */
  unique: boolean;
  statement: string;
}

/** Whether a statement of a migration is left to {@link buildIndexes}, because no transaction may contain it. */
export const isConcurrent = (statement: string): boolean => CONCURRENT.test(statement);

/** The indexes that the migrations create with `CONCURRENTLY` and do not drop later. */
export function concurrentIndexes(root = process.cwd()): ConcurrentIndex[] {
  const wanted = new Map<string, ConcurrentIndex>();
  for (const { sql } of readMigrationFiles({ migrationsFolder: join(root, "drizzle") })) {
    for (const statement of sql) {
      wanted.delete(DROP.exec(statement)?.[1] ?? "");
      const [found, unique, name = "", table = ""] = CONCURRENT.exec(statement) ?? [];
      if (found) wanted.set(name, { name, table, unique: Boolean(unique), statement });
    }
  }
  return [...wanted.values()];
}

interface State {
  /** Missing, left invalid by a build that was killed, or being built. */
  missing: boolean;
  exists: boolean;
  small: boolean;
}

const SMALL = "pg_relation_size(t.relation) < $3";
/** A distributed table is empty on the coordinator, and its shards' size is refused after changes in a transaction. */
const SMALL_IN_CLUSTER = `${SMALL} and not exists (select from pg_dist_partition where logicalrelid = t.relation)`;

async function stateOf(
  client: pg.Client,
  { name, table }: ConcurrentIndex,
  distributed = false,
): Promise<State> {
  const { rows } = await client.query<State>(
    `select t.relation is not null and not coalesce(x.indisvalid, false) as missing,
            x.indexrelid is not null as exists, ${distributed ? SMALL_IN_CLUSTER : SMALL} as small
       from (select to_regclass($2) as relation) t
       left join pg_index x on x.indexrelid = to_regclass($1)`,
    [name, table, SMALL_BYTES],
  );
  return rows[0] ?? { missing: false, exists: false, small: false };
}

/** Builds the indexes of small tables in the transaction of the migrations, so that a new database has them all. */
export async function indexSmallTables(client: pg.Client, root: string, distributed: boolean): Promise<void> {
  for (const index of concurrentIndexes(root)) {
    const { missing, exists, small } = await stateOf(client, index, distributed);
    if (missing && !exists && small) await client.query(index.statement.replace(/ CONCURRENTLY/i, ""));
  }
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(namedConnection(url, "metacode indexes"));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function filterMissing(client: pg.Client, indexes: ConcurrentIndex[]): Promise<ConcurrentIndex[]> {
  const missing: ConcurrentIndex[] = [];
  for (const index of indexes) if ((await stateOf(client, index)).missing) missing.push(index);
  return missing;
}

/** The indexes that a migrated database lacks. */
export function missingIndexes(url: string, root = process.cwd()): Promise<ConcurrentIndex[]> {
  return withClient(url, (client) => filterMissing(client, concurrentIndexes(root)));
}

async function lock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    BUILD_LOCK,
  ]);
  return rows[0]?.locked ?? false;
}

/**
 * Builds the indexes that are still missing, beside running writes; processes that start together build each one once.
 * Needs its own connection, because a pooler in transaction mode runs every statement on another one. Polls for the
 * lock: a build waits for every older snapshot, and a statement that waits for a lock holds one.
 */
export async function buildIndexes(url: string, indexes: ConcurrentIndex[]): Promise<void> {
  if (indexes.length === 0) return;
  await withClient(url, async (client) => {
    await liftLimits(client);
    while (!(await lock(client))) await pause(ASK_AGAIN_MS);
    for (const { name, statement } of await filterMissing(client, indexes)) {
      // A build that was killed leaves an index that every write maintains and no query uses.
      await client.query(`drop index concurrently if exists "${name}"`);
      await client.query(statement);
    }
  });
}
