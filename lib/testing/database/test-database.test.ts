import { expect, test } from "vitest";
import { administer } from "@/lib/testing/database/template";
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
