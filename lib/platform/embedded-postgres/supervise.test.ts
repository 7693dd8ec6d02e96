import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { clusterProcesses } from "@/lib/platform/embedded-postgres/process";
import { supervisePostgres } from "@/lib/platform/embedded-postgres/supervise";
import { administer } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";

const WAIT = { timeout: 60_000, interval: 30 };
const NAMES = "SELECT name FROM kept";

async function supervised(dataDir: string) {
  const server = await supervisePostgres({ dataDir });
  onTestFinished(() => server.stop());
  return server;
}

test("kill -9 of the server: it is back at the same address with every committed row", async () => {
  const server = await supervised(await temporaryFolder());
  await administer(server.url, "CREATE TABLE kept (name text)");
  for (let round = 1; round <= 3; round++) {
    await administer(server.url, `INSERT INTO kept VALUES ('row ${round}')`);
    const before = server.pid();
    process.kill(before, "SIGKILL");
    // First, because a child of the killed server may still answer, and the new one answers before its start is noted.
    await expect.poll(() => server.pid(), WAIT).not.toBe(before);
    await expect.poll(() => administer(server.url, NAMES).catch(() => []), WAIT).toHaveLength(round);
  }
});

test("a statement that outlives the killed server does not hold up the next one", async () => {
  const server = await supervised(await temporaryFolder());
  await administer(server.url, "CREATE TABLE kept AS SELECT 'still here' AS name");
  const busy = new Client({ connectionString: server.url });
  busy.on("error", () => {});
  await busy.connect();
  const endless = busy.query("SELECT count(*) FROM generate_series(1, 100000000000)");
  endless.catch(() => {});
  const running =
    "SELECT query AS name FROM pg_stat_activity WHERE query LIKE 'SELECT count%' AND state = 'active'";
  await expect.poll(() => administer(server.url, running), WAIT).toHaveLength(1);
  process.kill(server.pid(), "SIGKILL");
  await expect(endless).rejects.toThrow();
  await expect.poll(() => administer(server.url, NAMES).catch(() => []), WAIT).toHaveLength(1);
});

test("stop ends it for good, also right after a kill", async () => {
  const folder = await temporaryFolder();
  const server = await supervised(folder);
  process.kill(server.pid(), "SIGKILL");
  await server.stop();
  // The children of the killed server notice its end themselves and exit shortly afterwards.
  await vi.waitFor(async () => expect(await clusterProcesses(join(folder, "cluster"))).toEqual([]), {
    timeout: 60_000,
  });
  const next = await supervised(folder);
  expect(await administer(next.url, "SELECT 'ok' AS name")).toEqual([{ name: "ok" }]);
});
