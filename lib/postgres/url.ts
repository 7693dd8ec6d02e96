import { realpath } from "node:fs/promises";
import { clusterFolder, OWNER, readPassword } from "@/lib/postgres/initialize";
import { readPidFile } from "@/lib/postgres/pidfile";
import { processStart } from "@/lib/postgres/process";

/** Connection string of an embedded server. */
export function serverUrl(port: number, password: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}`;
}

/**
 * Connection string of the server that runs on a data folder now, started by any process; `undefined` when
 * none does. For commands that work beside a running service.
 */
export async function runningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(dataDir).catch(() => undefined);
  if (!folder) return undefined;
  const file = await readPidFile(clusterFolder(folder));
  if (!file?.ready || !(await processStart(file.pid))) return undefined;
  const password = await readPassword(folder);
  return password && serverUrl(file.port, password);
}
