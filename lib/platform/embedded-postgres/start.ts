import { mkdir, realpath } from "node:fs/promises";
import { freePort, serverUrl } from "@/lib/platform/embedded-postgres/address";
import { type Binaries, getBinaries, majorOf } from "@/lib/platform/embedded-postgres/binaries";
import { claimFolder, FolderInUse } from "@/lib/platform/embedded-postgres/claim";
import { chooseIdentity } from "@/lib/platform/embedded-postgres/identity";
import {
  clusterFolder,
  clusterMajor,
  initialize,
  type Setup,
} from "@/lib/platform/embedded-postgres/initialize";
import { type Exit, launch, type Running } from "@/lib/platform/embedded-postgres/launch";
import { stopOrphans } from "@/lib/platform/embedded-postgres/reap";
import { errorOfDataDir } from "@/lib/platform/sync-folder";

export interface PostgresOptions {
  /** Folder of the cluster, its password and its log; created if missing. */
  dataDir: string;
  /** Preferred port of 127.0.0.1; another one if it is in use. */
  port?: number;
  /** `false` only for tests: a power cut may then cost the data. */
  durable?: boolean;
  /** The programs of the cluster's own version; those of this version's package by default. */
  binaries?: Binaries;
  /** Called with a message about each restart. */
  log?: (message: string) => void;
}

/** An embedded server. `url` names the owner role and database `metacode`, password included. */
interface Postgres {
  url: string;
  port: number;
  pid: number;
  exited: Promise<Exit>;
  /** Shuts the server down fast and releases the data folder. */
  stop(): Promise<void>;
}

/** A data folder that this process holds, with its first server running. */
export interface Held {
  setup: Setup;
  url: string;
  port: number;
  server: Running;
  release(): Promise<void>;
}

const PORT_ATTEMPTS = 5;

/**
 * Starts the embedded PostgreSQL on a data folder, which this process then holds. A server that a killed process left
 * there is stopped first. Throws `FolderInUse` while a living process holds the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { url, port, server, release } = await hold(options);
  const stop = () => server.stop().then(release);
  void server.exited.then(release);
  return { url, port, pid: server.pid, exited: server.exited, stop };
}

/** Claims the folder, creates the cluster if necessary, and launches it; releases the folder if that fails. */
export async function hold(options: PostgresOptions): Promise<Held> {
  const { folder, release } = await claimDataDir(options.dataDir);
  try {
    const setup = await prepare(folder, options);
    const password = await initialize(setup);
    const { port, server } = await launchOnFreePort(setup, options.port);
    return { setup, url: serverUrl(port, password), port, server, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Creates the folder if necessary and claims it. */
async function claimDataDir(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const folder = await realpath(dataDir);
    return { folder, release: await claimFolder(folder) };
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw errorOfDataDir(error);
  }
}

async function prepare(folder: string, options: PostgresOptions): Promise<Setup> {
  const { durable = true, binaries = await getBinaries() } = options;
  await assertMajor(folder, binaries);
  await stopOrphans(clusterFolder(folder), binaries.pgCtl);
  const identity = await chooseIdentity(binaries.postgres, folder);
  return { folder, binaries, identity, durable };
}

/** PostgreSQL cannot read the files of another major version. */
async function assertMajor(folder: string, binaries: Binaries): Promise<void> {
  const [stored, own] = [await clusterMajor(folder), await majorOf(binaries)];
  if (stored === undefined || stored === own) return;
  throw new Error(
    `The database in ${folder} is of PostgreSQL ${stored}, and this version of Metacode has PostgreSQL ${own}: run ` +
      "`npm run move -- embedded embedded` (in a release `node server.js move embedded embedded`), which copies it and keeps the " +
      "former one",
  );
}

/** Another process may take the port between the check and the server's own bind. */
async function launchOnFreePort(setup: Setup, wanted?: number): Promise<{ port: number; server: Running }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(wanted);
    try {
      return { port, server: await launch(setup, port) };
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !/TCP\/IP socket/.test(String(error))) throw error;
    }
  }
}
