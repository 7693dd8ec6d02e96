import { Client } from "pg";
import { inject } from "vitest";
import { administer } from "@/lib/testing/database/template";

/**
 * Simulates a restart of a test's database: every connection breaks, and new ones fail until the returned function is
 * called.
 */
export async function takeDatabaseAway(url = process.env.DATABASE_URL ?? ""): Promise<() => Promise<void>> {
  const server = inject("testServer");
  const name = new URL(url).pathname.slice(1);
  const allow = (connections: boolean) =>
    administer(server.url, `alter database ${name} with allow_connections ${connections}`);
  await allow(false);
  await cutConnections(name);
  return async () => {
    await allow(true);
  };
}

/** Breaks every connection to a database; new connections succeed at once. */
export async function cutConnections(name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1)) {
  const { url } = inject("testServer");
  await administer(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** Whether a new connection fails. */
export async function isAway(url = process.env.DATABASE_URL ?? ""): Promise<boolean> {
  const client = new Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => false),
    () => true,
  );
}
