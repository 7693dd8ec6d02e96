import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The secret that signs sessions, created once and stored in the data folder, readable by its owner only. Several
 * machines on one database need the same `AUTH_SECRET` instead, or a session of one is invalid on the other.
 */
export async function getOrCreateSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "auth-secret");
  const draft = `${file}.${process.pid}`;
  const stored = await readFile(file, "utf8").catch(() => "");
  if (stored.length >= 32) return stored;
  await rm(file, { force: true });
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600 });
  // The link fails if another process was first; then that process's secret counts.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return readFile(file, "utf8");
}
