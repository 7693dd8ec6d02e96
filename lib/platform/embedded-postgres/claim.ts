import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { processStart } from "@/lib/platform/embedded-postgres/process";

/** The data folder belongs to a running process. */
export class FolderInUse extends Error {
  constructor(
    folder: string,
    readonly pid: number,
  ) {
    super(`The data folder ${folder} is in use by process ${pid}`);
    this.name = "FolderInUse";
  }
}

const ATTEMPTS = 4;

/**
 * Claims a data folder for this process; resolves to the function that releases it. Throws {@link FolderInUse} while a
 * living process holds it; the claim of a dead process is removed. Needs no lock call, which Node lacks.
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const name = `owner-${process.pid}-${await processStart(process.pid)}`;
  const file = join(folder, name);
  for (let attempt = 1; ; attempt++) {
    // One empty file per claimant, named by pid and start time, created before looking for others: of two simultaneous
    // claims at least one sees the other, so never two hold the folder.
    await create(file, folder);
    const holder = await otherHolder(folder, name);
    if (!holder) return once(() => rm(file, { force: true }));
    await rm(file, { force: true });
    if (attempt === ATTEMPTS) throw new FolderInUse(folder, holder);
    // Two claimants that collided wait for unequal times, so that one of them succeeds.
    await pause(20 + Math.random() * 100);
  }
}

/** A second release must not remove a claim that another process made in between. */
function once(release: () => Promise<void>): () => Promise<void> {
  let released: Promise<void> | undefined;
  return () => {
    released ??= release();
    return released;
  };
}

async function create(file: string, folder: string): Promise<void> {
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new FolderInUse(folder, process.pid) : error;
  });
  await handle.close();
}

async function otherHolder(folder: string, own: string): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    const match = /^owner-(\d+)-(\d+)$/.exec(name);
    if (!match || name === own) continue;
    const pid = Number(match[1]);
    if ((await processStart(pid)) === match[2]) return pid;
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}
