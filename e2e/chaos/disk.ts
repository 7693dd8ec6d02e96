import { execFile } from "node:child_process";
import { mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The size of the disk: more than the rows and the log of a run take, and small enough to fill in a second. */
const SIZE = "2g";

const CHUNK = Buffer.alloc(4 << 20);

/** The disk of a run's data. */
interface Disk {
  folder: string;
  /** The reason why the disk cannot be filled; undefined if it can. */
  unlimited: string | undefined;
  /** Uses up the free space. */
  fill(): Promise<void>;
  /** Frees the space again. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

/** A separate small file system if this machine allows the mount, else a folder that cannot be filled. */
export async function openDisk(): Promise<Disk> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "metacode-chaos-")));
  const mounted = run("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0755`, "metacode-chaos", folder]);
  const unlimited = await mounted.then(
    () => undefined,
    (error: Error) => error.message.trim().split("\n").at(-1) ?? "mount failed",
  );
  const ballast = join(folder, "ballast");
  return {
    folder,
    unlimited,
    fill: () => (unlimited === undefined ? fill(ballast) : Promise.resolve()),
    clear: () => rm(ballast, { force: true }),
    remove: async () => {
      if (unlimited === undefined) await run("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Appends smaller and smaller pieces until the disk is full. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, "a");
  try {
    for (let size = CHUNK.length; size >= 1; size >>= 1) {
      const piece = CHUNK.subarray(0, size);
      while (
        await handle.write(piece).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
      );
    }
  } finally {
    await handle.close();
  }
}
