import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The secret that signs sessions: made once and kept, readable by its owner only, in the data folder. Several machines
 * on one database must be given the same `AUTH_SECRET` instead, else a session of one is none on the other.
 */
export async function keptSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "auth-secret");
  const draft = `${file}.${process.pid}`;
  const kept = await readFile(file, "utf8").catch(() => "");
  if (kept.length >= 32) return kept;
  await rm(file, { force: true });
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600 });
  // A link fails where another start was first; then its secret is the one.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return readFile(file, "utf8");
}
