import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/database";
import { administer } from "@/lib/testing/template";

const TABLES = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";

test("a test database is migrated and nobody else's", async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  const tables = await administer(one.url, TABLES);
  expect(tables.length).toBeGreaterThan(0);
  await administer(one.url, "CREATE TABLE mine (name text)");
  expect(await administer(other.url, TABLES)).toEqual(tables);
  await Promise.all([one.drop(), other.drop()]);
  await expect(administer(one.url, TABLES)).rejects.toThrow("does not exist");
});
