import type { ChildProcess } from "node:child_process";
import { open, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { clusterFolder, type Setup } from "@/lib/platform/embedded-postgres/initialize";
import { readPidFile } from "@/lib/platform/embedded-postgres/process";
import { stopOrphans } from "@/lib/platform/embedded-postgres/reap";
import { lastLines, spawnProgram, tieArguments, watchFor } from "@/lib/platform/embedded-postgres/run";
import { settingArguments } from "@/lib/platform/embedded-postgres/settings";

/** How the server process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server that accepts connections. */
export interface Running {
  pid: number;
  exited: Promise<Exit>;
  /** Shuts down fast (open transactions roll back), then by force if that takes too long. */
  stop(): Promise<void>;
}

/** Crash recovery replays at most the write-ahead log since the last checkpoint. */
const READY_TIMEOUT = 300_000;
const LOG_LIMIT = 10 << 20;
const STEPS = [
  ["SIGINT", 15_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
] as const;

/** Starts the server on a port and waits until it is ready. Rejects with the reason that it logged. */
export async function launch(setup: Setup, port: number): Promise<Running> {
  const cluster = clusterFolder(setup.folder);
  const logFile = join(setup.folder, "postgres.log");
  const logged = await prepareLog(logFile);
  const tie = await tieArguments("INT");
  const { child, exited } = await spawnServer(setup, cluster, port, tie, logFile);
  const pid = child.pid ?? 0;
  const untie = pid > 0 && tie.length === 0 ? watchFor(pid) : () => {};
  void exited.then(untie);
  if (!(await becomesReady(cluster, pid, exited))) {
    child.kill("SIGQUIT");
    const log = (await readFile(logFile)).subarray(logged).toString();
    throw new Error(`PostgreSQL did not start: ${lastLines(log) || `see ${logFile}`}`);
  }
  return { pid, exited, stop: () => stop(child, exited, cluster, setup.binaries.pgCtl) };
}

async function spawnServer(
  { binaries, identity, durable }: Setup,
  cluster: string,
  port: number,
  tie: string[],
  logFile: string,
): Promise<{ child: ChildProcess; exited: Promise<Exit> }> {
  const args = ["-D", cluster, ...settingArguments(port, durable)];
  const log = await open(logFile, "a", 0o600);
  try {
    const program = { command: binaries.postgres, args, identity, tie, cwd: cluster };
    const child = spawnProgram(program, ["ignore", log.fd, log.fd]);
    // Listens before the log is closed: a server that cannot start may have ended by then.
    return { child, exited: exitOf(child) };
  } finally {
    await log.close();
  }
}

/** Length of the log so far; a large log is truncated first. */
async function prepareLog(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size < LOG_LIMIT) return size;
  await truncate(logFile);
  return 0;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

async function becomesReady(cluster: string, pid: number, exited: Promise<Exit>): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT;
  while (Date.now() < deadline) {
    const file = await readPidFile(cluster);
    if (file?.pid === pid && file.ready) return true;
    if (await Promise.race([exited, pause(15)])) return false;
  }
  return false;
}

async function stop(
  child: ChildProcess,
  exited: Promise<Exit>,
  cluster: string,
  pgCtl: string,
): Promise<void> {
  if (process.platform === "win32") return stopOrphans(cluster, pgCtl);
  for (const [name, wait] of STEPS) {
    child.kill(name);
    const timer = new AbortController();
    const late = pause(wait, undefined, { signal: timer.signal }).catch(() => undefined);
    const exit = await Promise.race([exited, late]);
    timer.abort();
    if (exit) return;
  }
}
