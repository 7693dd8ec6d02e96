import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { installFiles, installFunctions } from "@/lib/platform/db/functions";

/** Arbitrary, but the same in every process that migrates this database. */
const MIGRATION_LOCK = 7_261_905_114;

/**
 * Brings a database to this version: missing migrations, then the functions, all in one transaction under a lock, so
 * that starting servers take turns and a failure leaves the database as it was. The bookkeeping is that of drizzle's own
 * migrator, which takes no lock (2 of 3 parallel runs failed).
 */
export async function migrate(url: string, root = process.cwd()): Promise<void> {
  await underLock(url, async (client) => {
    await applyMigrations(client, root);
    await installFunctions(client, root);
  });
}

/** Creates the functions of one file in an otherwise current database. Returns their names. */
export function migrateFunctions(url: string, path: string): Promise<string[]> {
  return underLock(url, (client) => installFiles(client, [path]));
}

async function underLock<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: "metacode migrate" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    // Set after waiting for another server's migrations, which may take longer. A migration that waits for a long
    // transaction blocks every statement behind it, so it fails instead of stopping every instance.
    await client.query("set local lock_timeout = '10s'");
    const result = await work(client);
    await client.query("commit");
    return result;
  } finally {
    await client.end();
  }
}

async function applyMigrations(client: pg.Client, root: string): Promise<void> {
  await client.query("create schema if not exists drizzle");
  await client.query(
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  const { rows } = await client.query<{ last: string | null }>(
    "select max(created_at) as last from drizzle.__drizzle_migrations",
  );
  const last = Number(rows[0]?.last ?? 0);
  for (const migration of readMigrationFiles({ migrationsFolder: join(root, "drizzle") })) {
    if (migration.folderMillis <= last) continue;
    for (const statement of migration.sql) await client.query(statement);
    await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
      migration.hash,
      migration.folderMillis,
    ]);
  }
}
