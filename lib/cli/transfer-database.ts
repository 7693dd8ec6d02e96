import { runningPostgres } from "@/lib/platform/embedded-postgres/address";
import { getBinaries, getFormerBinaries, majorOf } from "@/lib/platform/embedded-postgres/binaries";
import { FolderInUse } from "@/lib/platform/embedded-postgres/claim";
import { clusterMajor } from "@/lib/platform/embedded-postgres/initialize";
import { type Held, hold } from "@/lib/platform/embedded-postgres/start";
import { parseEnv } from "@/lib/platform/env";
import { IN_USE } from "@/lib/platform/transfer/snapshot";

/** The name of the embedded database on a command line. */
export const EMBEDDED = "embedded";

/** A database named on a command line, ready for connections. */
export interface TransferDatabase {
  /** For messages: never with user or password. */
  label: string;
  url: string;
  stop(): Promise<void>;
}

/**
 * Reads an address, or the name of an environment variable that contains one, so that a password need not be on a
 * command line, where other users of the machine see it. Throws without showing the text, which may be a password.
 */
export function readAddress(text: string, variables: Record<string, string | undefined>): string {
  const url = /^\w+$/.test(text) ? variables[text] : text;
  if (url === undefined || url === "") throw new Error(`There is no environment variable ${text}`);
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new Error("Use an address such as postgres://user@host:5432/name, `embedded`, or a variable's name");
}

/** The host and database of an address, without user and password. */
export function addressLabel(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** A database on the operator's own server. */
export function externalDatabase(name: string): TransferDatabase {
  const url = readAddress(name, process.env);
  return { label: addressLabel(url), url, stop: async () => undefined };
}

/** The embedded server on a data folder, in the version of its cluster, locked by this process. */
export async function holdEmbedded(dataDir: string): Promise<Held & { major: number }> {
  const own = await getBinaries();
  const major = await majorOf(own);
  const stored = (await clusterMajor(dataDir)) ?? major;
  const binaries =
    stored === major ? own : await getFormerBinaries(stored, parseEnv(process.env).POSTGRES_BIN);
  return { ...(await hold({ dataDir, binaries })), major: stored };
}

/** The major version of the cluster in a data folder. Throws when there is none yet, because opening would create one. */
export async function assertEmbedded(dataDir: string): Promise<number> {
  const major = await clusterMajor(dataDir);
  if (major === undefined) throw new Error(`There is no embedded database in ${dataDir} (DATA_DIR)`);
  return major;
}

/** The embedded database; while a service runs on it, only if the caller allows that. */
export async function embeddedDatabase(whileRunning: boolean): Promise<TransferDatabase> {
  const { DATA_DIR } = parseEnv(process.env);
  const label = `the embedded database in ${DATA_DIR}`;
  try {
    const { url, server, release } = await holdEmbedded(DATA_DIR);
    return { label, url, stop: () => server.stop().then(release) };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const url = whileRunning ? await runningPostgres(DATA_DIR) : undefined;
    if (!url) throw new Error(IN_USE);
    return { label, url, stop: async () => undefined };
  }
}
