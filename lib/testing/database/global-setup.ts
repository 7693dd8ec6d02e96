import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/platform/db/migrate";
import { startTestPostgres } from "@/lib/testing/database/server";
import { administer, databaseUrl, dropDatabases, type TestServer } from "@/lib/testing/database/template";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Starts one server and creates one template database for the whole run; returns the function that ends them. */
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

/** Migrates an empty database once; every test database is a copy. */
async function createTemplate({ url, run }: TestServer): Promise<void> {
  await administer(url, `CREATE DATABASE ${run}_template`);
  await migrate(databaseUrl(url, `${run}_template`));
}
