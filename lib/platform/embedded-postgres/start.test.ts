import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { runningPostgres } from "@/lib/platform/embedded-postgres/address";
import { clusterProcesses } from "@/lib/platform/embedded-postgres/process";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { administer } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";

vi.mock("node:fs/promises", async (load) => {
  const real = await load<typeof import("node:fs/promises")>();
  return { ...real, open: vi.fn(real.open) };
});

/** Starts a server on a folder and stops it at the end of the test. */
async function start(dataDir: string, port?: number) {
  const server = await startPostgres({ dataDir, durable: false, ...(port && { port }) });
  onTestFinished(() => server.stop());
  return server;
}

const NAMES = "SELECT name FROM kept";
const KEEP = "CREATE TABLE kept AS SELECT 'still here' AS name";

test("the first start makes the database, the second keeps the data", async () => {
  const folder = await temporaryFolder();
  const first = await start(folder);
  expect(await runningPostgres(folder)).toBe(first.url);
  await administer(first.url, KEEP);
  await first.stop();
  expect(await runningPostgres(folder)).toBeUndefined();
  expect(await clusterProcesses(join(folder, "cluster"))).toEqual([]);
  const second = await start(folder, first.port);
  expect(second.url).toBe(first.url);
  expect(await administer(second.url, NAMES)).toEqual([{ name: "still here" }]);
  expect((await stat(join(folder, "password"))).mode & 0o777).toBe(0o600);
});

test("the database wants the password and is UTF-8 with checksums", async () => {
  const { url } = await start(await temporaryFolder());
  const wrong = url.replace(/:[^:@]+@/, ":wrong@");
  await expect(administer(wrong, "SELECT 1")).rejects.toThrow("password authentication failed");
  const shown =
    "SELECT concat_ws(' ', current_setting('server_encoding'), current_setting('data_checksums'))";
  expect(await administer(url, `${shown} AS name`)).toEqual([{ name: "UTF8 on" }]);
});

test("a taken port is replaced by another one", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const taken = (other.address() as { port: number }).port;
  const server = await start(await temporaryFolder(), taken);
  expect(server.port).not.toBe(taken);
  expect(await administer(server.url, "SELECT 'ok' AS name")).toEqual([{ name: "ok" }]);
});

test.each([
  ["a dead process", 999_999_999],
  ["a living process that is no server", process.ppid],
])("a postmaster.pid of %s does not block", async (_, pid) => {
  const folder = await temporaryFolder();
  const first = await start(folder);
  await administer(first.url, KEEP);
  await first.stop();
  const cluster = join(folder, "cluster");
  await writeFile(
    join(cluster, "postmaster.pid"),
    `${pid}\n${cluster}\n1700000000\n${first.port}\n\n\n\nready\n`,
  );
  const second = await start(folder);
  expect(await administer(second.url, NAMES)).toEqual([{ name: "still here" }]);
  expect(process.kill(process.ppid, 0)).toBe(true);
});

test("a lost password is set again", async () => {
  const folder = await temporaryFolder();
  const first = await start(folder);
  await administer(first.url, KEEP);
  await first.stop();
  await rm(join(folder, "password"));
  const second = await start(folder);
  expect(await administer(second.url, NAMES)).toEqual([{ name: "still here" }]);
});

test("a server that cannot start says why", async () => {
  const folder = await temporaryFolder();
  await (await start(folder)).stop();
  await rm(join(folder, "cluster", "global", "pg_control"));
  // Its log is closed only after it has ended, as on a busy machine.
  const { open: real } = await vi.importActual<typeof import("node:fs/promises")>("node:fs/promises");
  vi.mocked(open).mockImplementation(async (path, ...rest) => {
    const file = await real(path, ...rest);
    const { close } = file;
    if (String(path).endsWith(".log")) file.close = () => pause(1_000).then(close);
    return file;
  });
  onTestFinished(() => void vi.mocked(open).mockImplementation(real));
  await expect(start(folder)).rejects.toThrow(/could not (find|open)/);
});

test("the database of another major version is refused with the command that moves it", async () => {
  const folder = await temporaryFolder();
  await (await start(folder)).stop();
  await writeFile(join(folder, "cluster", "PG_VERSION"), "12\n");
  await expect(start(folder)).rejects.toThrow(
    /is of PostgreSQL 12, .* PostgreSQL \d+: run `npm run move -- embedded embedded`/,
  );
});

test("a move between versions that was killed between its two renames is completed", async () => {
  const folder = await temporaryFolder();
  const first = await start(folder);
  await administer(first.url, KEEP);
  await first.stop();
  await mkdir(join(folder, "upgrade"));
  await rename(join(folder, "cluster"), join(folder, "upgrade", "cluster"));
  const second = await start(folder);
  expect(await administer(second.url, NAMES)).toEqual([{ name: "still here" }]);
});

test("a data folder that cannot be used is refused with the variable that names it", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  // Nothing can be created in the last one, as in a read-only folder.
  for (const folder of [file, join(file, "data"), "/proc"])
    await expect(start(folder)).rejects.toThrow(/^DATA_DIR: E[A-Z]+: [^\n]+$/);
});
