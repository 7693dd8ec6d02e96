import { execFile } from "node:child_process";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";

const MB = 1_000_000;

/** Bytes that a folder takes on the disk. */
async function sizeOf(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    sum += (await lstat(join(folder, name))).blocks * 512;
  }
  return sum;
}

/**
 * Measures a newcomer's first `npm start`: on a fresh clone of the last commit with an empty npm cache, until the service
 * answers. It downloads every package, so it runs on request only.
 */
export async function benchFirstStart({ folder }: Stage): Promise<void> {
  const root = join(folder, "clone");
  await promisify(execFile)("git", ["clone", "--quiet", process.cwd(), root]);
  const started = performance.now();
  const service = await startService(
    folder,
    { DATA_DIR: join(folder, "first-data"), npm_config_cache: join(folder, "npm-cache") },
    root,
  );
  const seconds = (performance.now() - started) / 1_000;
  await service.stop();
  printTarget("seconds from npm start to the first answer", seconds, { most: 60 });
  printTarget("MB of packages on the disk", (await sizeOf(join(root, "node_modules"))) / MB, { most: 650 });
  console.log();
}
