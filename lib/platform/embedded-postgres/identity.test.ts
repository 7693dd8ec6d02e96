import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { administer } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";
import { needing } from "@/lib/testing/needing";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";

const root = process.getuid?.() === 0;
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
/** Other users cannot reach a checkout below a private home. */
const reachable = root && spawnSync("test", ["-r", resolve("package.json")], UNPRIVILEGED).status === 0;
const NOT_ROOT = "not root, or another user cannot read this folder";
let file = "";

beforeAll(async () => {
  file = await bundleForChild("lib/testing/processes/postgres.ts");
  return () => rm(file);
});

/** Starts a holder, writes a row, and resolves to the user that the server runs as. */
async function serverUser(folder: string, options: Parameters<typeof startChild>[2]): Promise<number> {
  const holder = startChild(file, ["start", folder], options);
  onTestFinished(() => holder.kill());
  await administer(JSON.parse(await holder.firstLine).url, "CREATE TABLE kept AS SELECT 'here' AS name");
  const pid = Number.parseInt(await readFile(join(folder, "cluster", "postmaster.pid"), "utf8"), 10);
  const { uid } = await stat(`/proc/${pid}`);
  await holder.kill();
  return uid;
}

test.runIf(reachable)(
  needing("started by another user it runs as that user", reachable, NOT_ROOT),
  async () => {
    const folder = await temporaryFolder();
    await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    expect(await serverUser(folder, UNPRIVILEGED)).toBe(UNPRIVILEGED.uid);
  },
);

test.runIf(reachable)(
  needing("root without namespaces uses a system user, and takes the files over later", reachable, NOT_ROOT),
  async () => {
    const tools = await temporaryFolder();
    for (const name of ["sh", "setpriv", "chown", "true"])
      await symlink(`/usr/bin/${name}`, join(tools, name));
    await chmod(tools, 0o755);
    const folder = await temporaryFolder();
    expect(await serverUser(folder, { env: { ...process.env, PATH: tools } })).toBeGreaterThan(0);
    const server = await startPostgres({ dataDir: folder, durable: false });
    onTestFinished(() => server.stop());
    expect(await administer(server.url, "SELECT name FROM kept")).toEqual([{ name: "here" }]);
  },
);

test.runIf(root)(
  needing("root without a way to drop its rights gets a one-line error", root, "not root"),
  async () => {
    const home = await temporaryFolder();
    const folder = join(home, "data");
    await mkdir(folder);
    await chmod(home, 0o700);
    const holder = startChild(file, ["start", folder], { env: { ...process.env, PATH: home } });
    onTestFinished(() => holder.kill());
    await expect(holder.firstLine).rejects.toThrow(/^Error: PostgreSQL does not run as root.*DATABASE_URL$/);
  },
);
