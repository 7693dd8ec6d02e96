import { open } from "node:fs/promises";

/** Makes a file's creation or rename in a folder survive a power cut. Windows cannot open folders and needs no such step. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** An error about the data folder with the setting that names it: Node's own names only the path. */
export function errorOfDataDir(error: unknown): Error {
  return new Error(`DATA_DIR: ${error instanceof Error ? error.message : error}`, { cause: error });
}
