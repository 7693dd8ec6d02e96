import { once } from "node:events";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { APP_ROUNDS, INSTALLATION_ROUNDS } from "@/lib/outward/problems/backlogs";
import { openDatabase } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { migrate } from "@/lib/platform/db/migrate";
import { workspaces } from "@/lib/platform/db/schema";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { type Binaries, getFormerBinaries } from "@/lib/platform/embedded-postgres/binaries";
import { chooseIdentity } from "@/lib/platform/embedded-postgres/identity";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { spawnProgram, tieArguments } from "@/lib/platform/embedded-postgres/run";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { insertApp } from "@/lib/tenants/apps/create";
import { administer } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";
import { appRounds, installationRounds } from "@/lib/web/background/rounds";

/** Starts a distribution's server with nothing but its default settings, and returns its address. */
async function startDefault(binaries: Binaries): Promise<string> {
  const dataDir = await temporaryFolder();
  const first = await startPostgres({ dataDir, durable: false, binaries });
  await first.stop();
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const args = ["-D", clusterFolder(dataDir), ...settings.flatMap((setting) => ["-c", setting])];
  const identity = await chooseIdentity(binaries.postgres, dataDir);
  const program = { command: binaries.postgres, args, identity, tie: await tieArguments("INT") };
  const server = spawnProgram({ ...program, cwd: clusterFolder(dataDir) }, "ignore");
  onTestFinished(async () => {
    server.kill("SIGINT");
    if (server.exitCode === null) await once(server, "exit");
  });
  const url = new URL(first.url);
  url.port = String(port);
  await vi.waitFor(() => administer(url.href, "select 1"), { timeout: 60_000 });
  return url.href;
}

const MAJORS = [15, 16, 17, 18];
const found = await Promise.all(MAJORS.map((major) => getFormerBinaries(major).catch(() => undefined)));

for (const [index, major] of MAJORS.entries()) {
  const binaries = found[index];
  test.skipIf(!binaries)(
    `every round runs on PostgreSQL ${major} of a distribution, if it is installed, and compiles nothing`,
    async () => {
      const url = await startDefault(binaries as Binaries);
      expect(await administer(url, "select current_setting('jit') as name")).toEqual([{ name: "on" }]);
      await migrate(url);
      const db = openDatabase({ url, size: 2 });
      onTestFinished(() => db.close());
      const { rows } = await db.pool.query("select current_setting('jit') as jit, version() as version");
      expect(rows[0]).toEqual({ jit: "off", version: expect.stringContaining(`PostgreSQL ${major}.`) });
      const [workspace] = await db.orm
        .insert(workspaces)
        .values({ id: uuidv7(), name: "Tea", plan: "pro" })
        .returning();
      const app = await insertApp(db, String(workspace?.id), { name: "Tea" });
      const taken = (appId: string, name: string) => ({ appId, name, lease: NIL_ID, seenAt: null });
      for (const name of INSTALLATION_ROUNDS) await installationRounds(db)[name](taken(NIL_ID, name));
      for (const name of APP_ROUNDS) await appRounds(db)[name](taken(app.id, name));
    },
  );
}
