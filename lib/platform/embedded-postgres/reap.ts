import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { clusterProcesses, pidExists, pidFilePath, readPidFile, signal } from "./process";
import { run } from "./run";

/** Fast shutdown, immediate shutdown, kill; with milliseconds to wait after each. */
const STEPS = [
  ["SIGINT", 10_000],
  ["SIGQUIT", 3_000],
  ["SIGKILL", 5_000],
] as const;

/**
 * Stops every server process that still works in a cluster, and removes a `postmaster.pid` whose pid now belongs to
 * another program. The caller holds the data folder, so processes that run there have lost their owner.
 */
export async function stopOrphans(cluster: string, pgCtl: string): Promise<void> {
  if (process.platform === "win32") return stopByPgCtl(cluster, pgCtl);
  for (const [name, wait] of STEPS) {
    await signalServer(cluster, name);
    if (await gone(cluster, wait)) break;
  }
  const file = await readPidFile(cluster);
  if (file && pidExists(file.pid)) await rm(pidFilePath(cluster), { force: true });
}

/**
 * Kills the children of a killed postmaster: they finish long statements before they notice, and no server can
 * start until they are gone.
 */
export async function killLeftovers(cluster: string): Promise<void> {
  for (const pid of await clusterProcesses(cluster)) signal(pid, "SIGKILL");
  await gone(cluster, 5_000);
}

/** Signals the postmaster, which signals its children; without a postmaster the children are killed. */
async function signalServer(cluster: string, name: NodeJS.Signals): Promise<void> {
  const pids = await clusterProcesses(cluster);
  const postmaster = (await readPidFile(cluster))?.pid;
  if (postmaster && pids.includes(postmaster) && name !== "SIGKILL") return signal(postmaster, name);
  for (const pid of pids) signal(pid, "SIGKILL");
}

async function gone(cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while ((await clusterProcesses(cluster)).length > 0) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}

/** Windows has no signals; pg_ctl uses its own pipe to the server. */
async function stopByPgCtl(cluster: string, pgCtl: string): Promise<void> {
  const args = ["stop", "-D", cluster, "-m", "fast", "-w", "-t", "20"];
  if (await readPidFile(cluster)) await run({ command: pgCtl, args }).catch(() => {});
}
