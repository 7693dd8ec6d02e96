import { afterAll, beforeAll } from "vitest";
import { database } from "@/lib/platform/db/client";
import { forgetSingleton } from "@/lib/platform/singleton";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";

/** A file's own database, and the environment that makes `database()` use it. Call at the top of the file. */
export function useService(settings: Record<string, string> = {}): void {
  let own: TestDatabase;
  beforeAll(async () => {
    own = await testDatabase();
    Object.assign(process.env, { LOG_LEVEL: "silent", DATABASE_URL: own.url, ...settings });
  });
  afterAll(async () => {
    await database().close();
    forgetSingleton("database");
    await own.drop();
  });
}
