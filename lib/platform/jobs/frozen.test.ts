import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "@/lib/platform/db/client";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { clusterProcesses, signal } from "@/lib/platform/embedded-postgres/process";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { runQueue } from "@/lib/platform/jobs/queue";
import { createRowsTable, rowsQueue } from "@/lib/testing/queue-rows";

/** A separate server, because the other test files share one. */
async function startServer() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "metacode-frozen-")));
  const server = await startPostgres({ dataDir: folder, durable: false });
  const send = async (name: NodeJS.Signals) => {
    for (const pid of await clusterProcesses(clusterFolder(folder))) signal(pid, name);
  };
  onTestFinished(async () => {
    await send("SIGCONT");
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { url: server.url, freeze: () => send("SIGSTOP"), thaw: () => send("SIGCONT") };
}

process.env.LOG_LEVEL = "silent";

test("work resumes after a database that was frozen, whatever was under way", async () => {
  const { url, freeze, thaw } = await startServer();
  const db = openDatabase({ url, size: 2 });
  await createRowsTable(db.pool);
  await db.pool.query("insert into queue_rows select generate_series(1, 6)");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worked: number[] = [];
  let failures = 0;
  const queue = rowsQueue(db, async (id) => {
    worked.push(id);
    await held;
  });
  const stop = runQueue({
    ...queue,
    take: (limit) =>
      queue.take(limit).catch((error) => {
        failures += 1;
        throw error;
      }),
    concurrency: 5,
  });
  onTestFinished(async () => {
    release();
    await stop();
    await db.close();
  });
  await vi.waitFor(() => expect(worked).toHaveLength(5), { timeout: 60_000 });
  await freeze();
  release();
  await vi.waitFor(() => expect(failures).toBeGreaterThan(0), { timeout: 60_000 });
  await thaw();
  const done = async () =>
    (await db.pool.query("select 1 from queue_rows where done_at is not null")).rowCount;
  await vi.waitFor(async () => expect(await done()).toBe(6), { timeout: 60_000, interval: 200 });
  expect(new Set(worked).size).toBe(6);
});
