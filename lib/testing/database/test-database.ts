import { randomBytes } from "node:crypto";
import { inject, onTestFinished } from "vitest";
import { administer, cloneTemplate, databaseUrl, dropDatabase } from "@/lib/testing/database/template";

/** A migrated, empty database of one test file. */
export interface TestDatabase {
  url: string;
  /** Drops the database, open connections included, as does the end of the run. */
  drop(): Promise<void>;
}

/** Clones the run's template. To be called once per file; each test then creates its own tenant. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `${server.run}_${randomBytes(6).toString("hex")}`;
  const url = await cloneTemplate(server, name);
  return { url, drop: () => dropDatabase(server, name) };
}

/** A database without tables on the run's server, dropped when the test ends. */
export async function emptyDatabase(): Promise<string> {
  const server = inject("testServer");
  const name = `${server.run}_${randomBytes(6).toString("hex")}`;
  await administer(server.url, `CREATE DATABASE ${name}`);
  onTestFinished(async () => void (await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`)));
  return databaseUrl(server.url, name);
}
