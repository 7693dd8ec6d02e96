import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/platform/db/migrate";
import { createOnCluster, distributeTemplate, nodesOf, onCluster } from "@/lib/testing/database/cluster";
import { ownTemporaryFolder, startTestPostgres } from "@/lib/testing/database/server";
import { administer, databaseUrl, dropDatabases, type TestServer } from "@/lib/testing/database/template";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Starts one server and creates one template database for the whole run; returns the function that ends them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeTemporaryFolder = await ownTemporaryFolder();
  const { url, stop } = await startTestPostgres();
  const nodes = onCluster() ? await nodesOf(url) : [url];
  const server = { url, nodes, run: `metacode_test_${randomBytes(4).toString("hex")}` };
  const end = () => dropDatabases(server).finally(stop).finally(removeTemporaryFolder);
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
async function createTemplate({ url, nodes, run }: TestServer): Promise<void> {
  const name = `${run}_template`;
  await (onCluster() ? createOnCluster(nodes, name) : administer(url, `CREATE DATABASE ${name}`));
  await migrate(databaseUrl(url, name));
  if (onCluster()) await distributeTemplate(nodes, name);
}
