import { expect, inject, test } from "vitest";
import { onCluster } from "@/lib/testing/database/cluster";
import { administer, databaseUrl } from "@/lib/testing/database/template";
import { testDatabase } from "@/lib/testing/database/test-database";

const TABLES = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";

test("a test database is migrated and separate from all others", async () => {
  const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
  const tables = await administer(first.url, TABLES);
  expect(tables.length).toBeGreaterThan(0);
  await administer(first.url, "CREATE TABLE mine (name text)");
  expect(await administer(second.url, TABLES)).toEqual(tables);
  await Promise.all([first.drop(), second.drop()]);
  await expect(administer(first.url, TABLES)).rejects.toThrow("does not exist");
});

const SETTINGS = `SELECT unnest(setconfig) AS name FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
  WHERE datname = current_database() ORDER BY 1`;

test.skipIf(!onCluster())(
  "on a cluster, each server plans the statements of a test database as the service's connections do (needs CITUS_URL)",
  async () => {
    const { url, drop } = await testDatabase();
    const settings = ["enable_seqscan=off", "jit=off", "synchronous_commit=on"].map((name) => ({ name }));
    for (const node of inject("testServer").nodes) {
      expect(await administer(databaseUrl(node, new URL(url).pathname.slice(1)), SETTINGS)).toEqual(settings);
    }
    await drop();
  },
);
