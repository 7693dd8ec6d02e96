import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepPostgres } from "@/lib/postgres/keep";
import { clusterProcesses } from "@/lib/postgres/process";
import { temporaryFolder } from "@/lib/testing/folder";
import { administer } from "@/lib/testing/template";

const WAIT = { timeout: 10_000, interval: 30 };
const NAMES = "SELECT name FROM kept";

async function keep(dataDir: string) {
  const server = await keepPostgres({ dataDir });
  onTestFinished(() => server.stop());
  return server;
}

test("kill -9 of the server: it is back at the same address with every committed row", async () => {
  const server = await keep(await temporaryFolder());
  await administer(server.url, "CREATE TABLE kept (name text)");
  for (let round = 1; round <= 3; round++) {
    await administer(server.url, `INSERT INTO kept VALUES ('row ${round}')`);
    const before = server.pid();
    process.kill(before, "SIGKILL");
    await expect.poll(() => administer(server.url, NAMES).catch(() => []), WAIT).toHaveLength(round);
    expect(server.pid()).not.toBe(before);
  }
});

test("a statement that outlives the killed server does not hold up the next one", async () => {
  const server = await keep(await temporaryFolder());
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
  const server = await keep(folder);
  process.kill(server.pid(), "SIGKILL");
  await server.stop();
  // What the killed server had started sees by itself that it is gone, and ends a moment later.
  await vi.waitFor(async () => expect(await clusterProcesses(join(folder, "cluster"))).toEqual([]), {
    timeout: 10_000,
  });
  const next = await keep(folder);
  expect(await administer(next.url, "SELECT 'ok' AS name")).toEqual([{ name: "ok" }]);
});
