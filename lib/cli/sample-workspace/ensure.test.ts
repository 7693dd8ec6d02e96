import { execFile, spawnSync } from "node:child_process";
import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { table, unknown } from "@/lib/cli/routes";
import { database, openDatabase } from "@/lib/platform/db/client";
import { workspaces } from "@/lib/platform/db/schema";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { renewDemo } from "@/lib/program/demo/renew";
import { testDatabase } from "@/lib/testing/database/test-database";
import { needing } from "@/lib/testing/needing";
import { useService } from "@/lib/testing/service";
import { createHttpServer } from "@/lib/web/server/http-server";
import { ensureSampleWorkspace, type FirstSample, firstSampleText, SAMPLE_LOCK } from "./ensure";

const port = await freePort();
useService({ APP_URL: `http://127.0.0.1:${port}`, SAMPLE_WORKSPACE: "auto", PUBLIC_DEMO: "on" });

let server: Server;
let sample: FirstSample | undefined;
beforeAll(async () => {
  // The demo may exist first.
  await renewDemo(database());
  const made = await Promise.all(Array.from({ length: 4 }, () => ensureSampleWorkspace(database())));
  expect(made.filter((summary) => summary !== undefined)).toHaveLength(1);
  sample = made.find((summary) => summary !== undefined);
  const pages = async () => undefined;
  server = createHttpServer({ table, unknown, pages, hops: 0, draining: () => false });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("of four servers that start at once one creates the sample workspace, and no later start does", async () => {
  expect(await ensureSampleWorkspace(database())).toBeUndefined();
  expect(await database().orm.select().from(workspaces)).toHaveLength(2);
});

test("a server waits while another one creates the sample workspace, and creates it where that one fails", async () => {
  const own = await testDatabase();
  const db = openDatabase({ url: own.url, size: 3 });
  onTestFinished(async () => {
    await db.close();
    await own.drop();
  });
  const made = await db.transaction(async ({ orm }) => {
    await orm.execute(sql`select pg_advisory_xact_lock(${SAMPLE_LOCK})`);
    const waiting = ensureSampleWorkspace(db);
    expect(await Promise.race([waiting, pause(1_500, "waits")])).toBe("waits");
    return { waiting };
  });
  expect(await made.waiting).toHaveProperty("owner.email", sample?.owner.email);
});

test("the first start shows key and password; a later start says how to get a key", () => {
  const first = firstSampleText(sample);
  for (const secret of [sample?.api_key, sample?.owner.password, sample?.owner.email])
    expect(first).toContain(secret);
  expect(firstSampleText(undefined)).toContain("npm run sample");
});

const curl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!curl)(needing("the printed commands run the whole loop", curl, "no curl"), async () => {
  const lines = firstSampleText(sample)
    .split("\n")
    .filter((line) => /^ {2}(#|METACODE|curl|for) ?/.test(line));
  const { stdout } = await promisify(execFile)("sh", ["-c", lines.join("\n")]);
  expect(stdout).toMatch(/^[2-9a-z]{8}\n/);
  expect(stdout).toContain("<!doctype html>".slice(0, 9));
  expect(stdout.match(/"store_url"/g)).toHaveLength(4);
  expect(stdout).toContain("Successfully claimed 1 reward");
});
