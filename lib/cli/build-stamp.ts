import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processStart } from "@/lib/platform/embedded-postgres/process";

/** Marks a complete build and names its sources: removed before the first step, written after the last. */
export const BUILD_STAMP = ".next/metacode-build";

/** The id by which browsers and instances recognise a build of other sources. */
export function deploymentId(stamp: string): string {
  return stamp.slice(0, 16);
}

/** The folder with a file for each process that runs the build: its start time, because the system reuses pids. */
const RUNNING = ".build/running";

/**
 * Notes that a process runs the build of a folder. A read-only folder needs no note, because its build cannot change. Windows
 * reports no start time, so there any process with the same pid would pass for a service that ended long ago.
 */
export async function noteRunning(root: string, pid = process.pid): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await mkdir(join(root, RUNNING), { recursive: true });
    await writeFile(join(root, RUNNING, String(pid)), (await processStart(pid)) ?? "");
  } catch {}
}

/** Throws if another process runs the build of a folder, because it reads pages and scripts from there on request. */
export async function assertNotRunning(root: string): Promise<void> {
  for (const name of await readdir(join(root, RUNNING)).catch(() => [])) {
    if (name === String(process.pid)) continue;
    const start = await processStart(Number(name));
    if (start === undefined || start !== (await readFile(join(root, RUNNING, name), "utf8"))) continue;
    throw new Error(
      `The sources changed, and the service of process ${name} runs the build of this folder: stop it first, or use another folder`,
    );
  }
}
