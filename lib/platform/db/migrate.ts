import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { namedConnection } from "@/lib/platform/db/client";
import { completeDistribution, isDistributed, liftLimits } from "@/lib/platform/db/distribute";
import { installFiles, installFunctions } from "@/lib/platform/db/functions";
import { isIncomplete } from "@/lib/platform/db/incomplete";
import { indexSmallTables, isConcurrent } from "@/lib/platform/db/indexes";
import { sqlState } from "@/lib/platform/db/outage";
import { commandLine } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

/** Arbitrary, but the same in every process that migrates this database. */
const MIGRATION_LOCK = 7_261_905_114;

/**
 * Brings a database to this version: missing migrations, then the functions, all in one transaction under a lock, so
 * starting servers take turns and a failure changes nothing. Leaves the indexes of large tables to `buildIndexes`. Uses
 * the table of drizzle's migrator, which takes no lock (2 of 3 parallel runs failed).
 */
export async function migrate(
  url: string,
  { root = process.cwd(), isCommand = false }: { root?: string; isCommand?: boolean } = {},
): Promise<void> {
  await underLock(url, async (client) => {
    if (await isIncomplete(client)) throw new Error(incompleteText());
    // A command leaves a newer version's database alone: its service passes parameters that these functions lack.
    if (isCommand && (await appliedMigration(client)) > newestMigration()) return;
    const distributed = await isDistributed(client);
    // Otherwise a cluster refuses to distribute after some of the changes that migrations make.
    if (distributed) await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await applyMigrations(client, root, distributed);
    await installFunctions(client, root);
    if (distributed) await completeDistribution(client, (line) => log().warn(line));
  });
}

const incompleteText = () =>
  `The copy into this database was not completed: run the same \`${commandLine("move")}\` or \`${commandLine("restore")}\` ` +
  "again, which goes on";

/**
 * Brings a database that will be filled to this version. `check` runs in the same transaction, under the same lock, so
 * a service that starts meanwhile either comes first or finds the mark that `check` leaves.
 */
export async function migrateTarget(url: string, check: (client: pg.Client) => Promise<void>): Promise<void> {
  await underLock(url, async (client) => {
    await applyMigrations(client, process.cwd());
    await installFunctions(client);
    await check(client);
  });
}

/** Creates the functions of one file in an otherwise current database. Returns their names. */
export function migrateFunctions(url: string, path: string): Promise<string[]> {
  return underLock(url, (client) => installFiles(client, [path]));
}

/** Attempts at a transaction that does not get its locks, or ends in a deadlock with requests. */
const TRIES = 10;
/** Milliseconds between two attempts, for the requests that waited behind the last one. */
const TRY_AGAIN_MS = 500;
const NOT_LOCKED = /^(40P01|55P03)$/;
/** Lock timeouts: a few short ones, then longer ones, as PostgreSQL ends an autovacuum in the way after a second. */
const SHORT = { tries: 5, wait: "500ms" };
const LONGER = "1500ms";

async function underLock<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await underLockOnce(url, tries > SHORT.tries ? LONGER : SHORT.wait, work);
    } catch (error) {
      if (!NOT_LOCKED.test(sqlState(error) ?? "") || tries === TRIES) throw error;
      log().warn({ err: error }, "a migration did not get its locks, and begins again");
      await pause(TRY_AGAIN_MS);
    }
  }
}

async function underLockOnce<Result>(
  url: string,
  wait: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(namedConnection(url, "metacode migrate"));
  client.on("error", () => undefined);
  await client.connect();
  try {
    // At a level that a role may prefer, what another server has migrated while this one waits would not be seen.
    await client.query("begin isolation level read committed");
    // Another server's migrations may take minutes.
    await liftLimits(client, true);
    // Otherwise work on another connection that waits for the locks of this one would wait for ever.
    await client.query("set local idle_in_transaction_session_timeout = '60s'");
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    // Set after waiting for another server's migrations, which may take longer. A migration that waits for a table
    // stops every request behind it, so it soon releases its locks; PostgreSQL looks for deadlocks only after a second.
    await client.query(`set local lock_timeout = '${wait}'`);
    const result = await work(client);
    await client.query("commit");
    return result;
  } finally {
    await client.end();
  }
}

/** The time of this version's newest migration, which distinguishes versions of the tables. */
export function newestMigration(): number {
  return readMigrationFiles({ migrationsFolder: "drizzle" }).at(-1)?.folderMillis ?? 0;
}

/** The time of the newest migration that a database has; 0 before the first. */
export async function appliedMigration(client: pg.Client): Promise<number> {
  const { rows: known } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as name");
  if (!known[0]?.name) return 0;
  const { rows } = await client.query<{ last: string | null }>(
    "select max(created_at) as last from drizzle.__drizzle_migrations",
  );
  return Number(rows[0]?.last ?? 0);
}

/**
 * Locks every table before the first change, so that nothing is done twice when a lock cannot be taken. Skips the
 * tables of other owners, such as those of extensions: they are not changed, and locking them may be refused.
 */
async function lockTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: string | null }>(
    `select string_agg(oid::regclass::text, ', ' order by relname) as tables
       from pg_class where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
        and pg_has_role(relowner, 'usage')`,
  );
  if (rows[0]?.tables) await client.query(`lock table ${rows[0].tables} in access exclusive mode`);
}

/** An index of a large table may not have been built yet when a later migration drops it. */
const ifExists = (statement: string) =>
  statement.replace(/^DROP INDEX (?!IF EXISTS |CONCURRENTLY )/gim, "DROP INDEX IF EXISTS ");

async function applyMigrations(client: pg.Client, root: string, distributed = false): Promise<void> {
  await client.query("create schema if not exists drizzle");
  await client.query(
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  const last = await appliedMigration(client);
  const all = readMigrationFiles({ migrationsFolder: join(root, "drizzle") });
  const missing = all.filter(({ folderMillis }) => folderMillis > last);
  // The tables of a cluster are locked by the changes themselves, shard by shard.
  if (missing.length > 0 && !distributed) await lockTables(client);
  for (const migration of missing) {
    for (const statement of migration.sql)
      if (!isConcurrent(statement)) await client.query(ifExists(statement));
    await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
      migration.hash,
      migration.folderMillis,
    ]);
  }
  await indexSmallTables(client, root, distributed);
}
