import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorOfDataDir, syncFolder } from "@/lib/platform/sync-folder";

/**
 * The secret that signs sessions and seals what the database stores, created once in the data folder, readable by its owner
 * only. Several machines on one database need the same `AUTH_SECRET` instead, or a session of one is invalid on the other.
 * Throws for a file without a usable secret, because a new secret could not open what is sealed.
 */
export async function getOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "auth-secret");
  if ((await readStored(file)) === undefined)
    await create(dataDir, file).catch((error: unknown) => Promise.reject(errorOfDataDir(error)));
  const stored = (await readStored(file)) ?? "";
  if (stored.length >= 32) return stored;
  throw new Error(`${file} holds no secret of 32 characters: restore the file, or set AUTH_SECRET`);
}

async function create(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  // The link fails if another process was first; then that process's secret counts.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  await syncFolder(dataDir);
}

async function readStored(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new Error(
      `Cannot read the secret in ${file} (${error.code}): let this user read it, or set AUTH_SECRET`,
    );
  });
}
