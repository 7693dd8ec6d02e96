import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/db/migrate";
import { startTestPostgres } from "@/lib/testing/postgres";
import { administer, databaseUrl, dropDatabases, type TestServer } from "@/lib/testing/template";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** One server and one template database for the whole run; returns what ends them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres();
  const server = { url, run: `metacode_test_${randomBytes(4).toString("hex")}` };
  const end = () => dropDatabases(server).finally(stop);
  try {
    await createTemplate(server);
  } catch (error) {
    await end();
    throw error;
  }
  project.provide("testServer", server);
  return end;
}

/** Migrates an empty database once; every test database is a copy of it. */
async function createTemplate({ url, run }: TestServer): Promise<void> {
  await administer(url, `CREATE DATABASE ${run}_template`);
  await migrate(databaseUrl(url, `${run}_template`));
}
