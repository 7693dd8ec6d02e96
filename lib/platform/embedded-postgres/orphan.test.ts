import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { getBinaries } from "@/lib/platform/embedded-postgres/binaries";
import { chooseIdentity } from "@/lib/platform/embedded-postgres/identity";
import { clusterProcesses, readPidFile } from "@/lib/platform/embedded-postgres/process";
import { spawnProgram } from "@/lib/platform/embedded-postgres/run";
import { settingArguments } from "@/lib/platform/embedded-postgres/settings";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { administer } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";
import { bundleForChild, type Child, startChild } from "@/lib/testing/processes/child";

const WAIT = { timeout: 60_000, interval: 20 };
const KEEP = "CREATE TABLE kept AS SELECT 'still here' AS name";
let file = "";

beforeAll(async () => {
  file = await bundleForChild("lib/testing/processes/postgres.ts");
  return () => rm(file);
});

function child(folder: string, env = process.env): Child {
  const started = startChild(file, ["start", folder], { env });
  onTestFinished(() => started.kill());
  return started;
}

async function start(dataDir: string) {
  const server = await startPostgres({ dataDir, durable: false });
  onTestFinished(() => server.stop());
  return server;
}

/** A PATH with a shell but without util-linux. */
async function bareTools(): Promise<NodeJS.ProcessEnv> {
  const folder = await temporaryFolder();
  for (const name of ["sh", "unshare", "chown"]) await symlink(`/usr/bin/${name}`, join(folder, name));
  return { ...process.env, PATH: folder };
}

test.each([
  ["the kernel", async () => process.env],
  ["a watching shell", bareTools],
])("kill -9 of the holder ends the server, found by %s", async (_, environment) => {
  const folder = await temporaryFolder();
  const holder = child(folder, await environment());
  const { url } = JSON.parse(await holder.firstLine);
  await administer(url, KEEP);
  expect(await clusterProcesses(join(folder, "cluster"))).not.toEqual([]);
  await holder.kill();
  await expect.poll(() => clusterProcesses(join(folder, "cluster")), WAIT).toEqual([]);
  const next = await start(folder);
  expect(await administer(next.url, "SELECT name FROM kept")).toEqual([{ name: "still here" }]);
});

test("a start right after kill -9 of the holder works", async () => {
  const folder = await temporaryFolder();
  const holder = child(folder);
  await administer(JSON.parse(await holder.firstLine).url, KEEP);
  await holder.kill();
  const next = await start(folder);
  expect(await administer(next.url, "SELECT name FROM kept")).toEqual([{ name: "still here" }]);
});

test("a second start on a held folder is refused and names the holder", async () => {
  const folder = await temporaryFolder();
  const holder = child(folder);
  const { url } = JSON.parse(await holder.firstLine);
  await expect(start(folder)).rejects.toThrow(`The data folder ${folder} is in use by process ${holder.pid}`);
  expect(await administer(url, "SELECT 'ok' AS name")).toEqual([{ name: "ok" }]);
});

test("of many simultaneous starts at most one gets the folder", async () => {
  const folder = await temporaryFolder();
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => child(folder).firstLine));
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(3);
  for (const result of refused)
    expect(String((result as PromiseRejectedResult).reason)).toContain("in use by");
});

test("a server without a holder is stopped before the new one starts", async () => {
  const folder = await temporaryFolder();
  const cluster = join(folder, "cluster");
  const first = await start(folder);
  await first.stop();
  const { postgres } = await getBinaries();
  const identity = await chooseIdentity(postgres, folder);
  const args = ["-D", cluster, ...settingArguments(first.port, false)];
  const orphan = spawnProgram({ command: postgres, args, identity, cwd: cluster }, "ignore");
  onTestFinished(() => void orphan.kill("SIGKILL"));
  await expect.poll(async () => (await readPidFile(cluster))?.ready, WAIT).toBe(true);
  const next = await start(folder);
  expect(orphan.exitCode).toBe(0);
  expect((await readPidFile(cluster))?.pid).toBe(next.pid);
});

test("a first start killed half-way does not disturb the next one", async () => {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  const killed = child(folder);
  const halfMade = async () => (await readdir(folder)).find((name) => name.startsWith("new-cluster"));
  await expect.poll(halfMade, { ...WAIT, interval: 2 }).toBeDefined();
  await killed.kill();
  expect(await readdir(folder)).not.toContain("cluster");
  const next = await start(folder);
  expect(await administer(next.url, "SELECT 'ok' AS name")).toEqual([{ name: "ok" }]);
  expect(await halfMade()).toBeUndefined();
});
