import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { functionTexts } from "./functions";

/** Any number: it only has to be the same in every process that migrates this database. */
const MIGRATION_LOCK = 7_261_905_114;

/**
 * Brings a database to this version: missing migrations, then the functions, all in one transaction under a lock, so
 * that several starting servers do not meet and a failure leaves the database as it was. The bookkeeping is that of
 * drizzle's own migrator, which takes no lock (2 of 3 parallel runs failed).
 */
export async function migrate(url: string, root = process.cwd()): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "metacode migrate" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    // Only now, as waiting for another server's migrations may take longer. A migration that waits for a long
    // transaction lets nobody pass who comes after it, so it gives up instead of stopping every instance.
    await client.query("set local lock_timeout = '10s'");
    await applyMigrations(client, root);
    for (const text of functionTexts(root)) await client.query(text);
    await migrateJobs(url);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/**
 * The job library's own tables, by its own migrations, which need a connection of their own and no lock of ours: the
 * lock is still held while they run.
 */
async function migrateJobs(url: string): Promise<void> {
  const pgPool = new pg.Pool({ connectionString: url, max: 1, application_name: "metacode migrate" });
  pgPool.on("error", () => undefined);
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
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
