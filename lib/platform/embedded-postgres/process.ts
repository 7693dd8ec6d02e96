import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Programs that become the server by `exec`; a server is one of them for its first milliseconds. */
const SERVER_NAMES = new Set(["postgres", "setpriv", "unshare"]);

/**
 * When a process started, in the system's own unit (digits), which distinguishes a reused pid. `undefined` when there is
 * no such process; a zombie counts as none.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return linuxStart(pid);
  if (process.platform === "win32") return pidExists(pid) ? "0" : undefined;
  const answer = await exec("ps", ["-o", "stat=,lstart=", "-p", String(pid)]).catch(() => undefined);
  const [state, ...date] = answer?.stdout.trim().split(/\s+/) ?? [];
  return !state || state.startsWith("Z") ? undefined : String(Date.parse(date.join(" ")));
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may itself contain blanks and brackets, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "" || fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** True if the pid is in use, also by a zombie or another user's process. */
export function pidExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Signals a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile, or belongs to another user; the caller checks again.
  }
}

/**
 * Pids of the server processes that work in a cluster folder (absolute, without links): the postmaster and,
 * on Linux, its children. Empty on Windows.
 */
export async function clusterProcesses(cluster: string): Promise<number[]> {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return listedProcesses(cluster);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => worksIn(pid, cluster)));
  return pids.filter((_, index) => found[index]).map(Number);
}

/** True for a server process of the cluster: its working folder is the cluster from the start. */
async function worksIn(pid: string, cluster: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => "");
  if (folder !== cluster) return false;
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  return SERVER_NAMES.has(name.trim());
}

async function listedProcesses(cluster: string): Promise<number[]> {
  const { stdout } = await exec("ps", ["-axo", "pid=,command="], { maxBuffer: 64 << 20 });
  const lines = stdout.split("\n").filter((line) => line.includes("postgres -D ") && line.includes(cluster));
  return lines.map((line) => Number.parseInt(line, 10));
}

/** The content of `postmaster.pid`. */
interface PidFile {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; `undefined` if it does not exist or is being written. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number.parseInt(lines[3] ?? "0", 10), ready: lines[7]?.trim() === "ready" };
}

/** The file in which a running server of this cluster registers itself. */
export function pidFilePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}
