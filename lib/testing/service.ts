import { afterAll, beforeAll } from "vitest";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingleton } from "@/lib/platform/singleton";
import { flushClicks } from "@/lib/program/clicks/record-click";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";

/** A file's own database, and the environment that makes `database()` use it. Call at the top of the file. */
export function useService(settings: Record<string, string> = {}): void {
  let own: TestDatabase;
  beforeAll(async () => {
    own = await testDatabase();
    completeEnv({ LOG_LEVEL: "silent", DATABASE_URL: own.url, ...settings });
  });
  afterAll(async () => {
    await Promise.all([flushClicks(), flushRequests()]);
    await database().close();
    forgetSingleton("database");
    await own.drop();
  });
}
