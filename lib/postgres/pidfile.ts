import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a server writes into `postmaster.pid` of its cluster. */
interface PidFile {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; `undefined` when there is none or it is being written. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number.parseInt(lines[3] ?? "0", 10), ready: lines[7]?.trim() === "ready" };
}

/** Where a server of this cluster says that it runs. */
export function pidFilePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}
