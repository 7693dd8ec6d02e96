import { mkdir, readdir, rm, statfs } from "node:fs/promises";
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

/** The name of a folder of this run, by which a later run sees whether it is abandoned. */
const ownName = async () => `${PREFIX}${process.pid}-${await processStart(process.pid)}`;

/**
 * Creates a folder for the run's temporary files; returns the function that removes it. Vitest ends its processes by a
 * signal, so handlers that would remove a folder at the exit of a process do not run.
 */
export async function ownTemporaryFolder(): Promise<() => Promise<void>> {
  await removeAbandoned();
  const folder = join(tmpdir(), await ownName());
  // Some tests start processes of another user.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** A file system in memory, where Linux has one. */
const MEMORY = "/dev/shm";

const MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * The cluster of `CITUS_URL` or the server of `TEST_DATABASE_URL`, else an embedded one in a temporary folder that is
 * removed after the run.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.CITUS_URL || process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const dataDir = join(await fastFolder(), `${await ownName()}-${Date.now()}`);
  await mkdir(dataDir, { mode: 0o700 });
  const server = await startPostgres({ dataDir, durable: false });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/**
 * Memory if there is enough of it, else the temporary folder. Each test file creates and drops a database of 700 files,
 * which takes ext4 up to 1.2 s, because it has to skip the inodes of dropped files, and memory 0.15 s.
 */
async function fastFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MEMORY_BYTES ? MEMORY : tmpdir();
}

/** Removes the folders of killed runs, whose servers have ended with them. */
async function removeAbandoned(): Promise<void> {
  for (const root of new Set([MEMORY, tmpdir()])) await removeAbandonedIn(root);
}

async function removeAbandonedIn(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const [pid, start] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-") : [];
    if (!pid || (await processStart(Number(pid))) === start) continue;
    const folder = join(root, name);
    if ((await clusterProcesses(clusterFolder(folder))).length > 0) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
