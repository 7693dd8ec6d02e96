import { mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { clusterProcesses, processStart } from "@/lib/platform/embedded-postgres/process";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";

/** A server for one test run. */
interface TestPostgres {
  /** Connection string of a role that may create databases. */
  url: string;
  stop(): Promise<void>;
}

const PREFIX = "metacode-test-";

/** The server of `TEST_DATABASE_URL`, else an embedded one in a temporary folder that is removed after the run. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  await removeAbandoned();
  const dataDir = join(tmpdir(), `${PREFIX}${process.pid}-${await processStart(process.pid)}-${Date.now()}`);
  await mkdir(dataDir, { mode: 0o700 });
  const server = await startPostgres({ dataDir, durable: false });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** Removes the folders of killed runs, whose servers ended with them. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [pid, start] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-") : [];
    if (!pid || (await processStart(Number(pid))) === start) continue;
    const folder = join(tmpdir(), name);
    if ((await clusterProcesses(clusterFolder(folder))).length > 0) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
