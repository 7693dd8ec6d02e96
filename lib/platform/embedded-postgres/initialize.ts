import { randomBytes } from "node:crypto";
import { access, chown, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "@/lib/platform/embedded-postgres/binaries";
import type { Identity } from "@/lib/platform/embedded-postgres/identity";
import { lastLines, run, tieArguments } from "@/lib/platform/embedded-postgres/run";
import { syncFolder } from "@/lib/platform/sync-folder";

/** The name of the owner role and of the database. */
export const OWNER = "metacode";

/** The folder of the cluster in a data folder. */
export const clusterFolder = (folder: string) => join(folder, "cluster");
/** The major version of a data folder's cluster; undefined without one. */
export async function clusterMajor(folder: string): Promise<number | undefined> {
  const text = await readFile(join(clusterFolder(folder), "PG_VERSION"), "utf8").catch(() => "");
  return Number.parseInt(text, 10) || undefined;
}

/** The file with the owner's password. */
const passwordFile = (folder: string) => join(folder, "password");

export interface Setup {
  folder: string;
  binaries: Binaries;
  identity: Identity;
  durable: boolean;
}

/**
 * Creates the cluster of a data folder unless it exists, and resolves to the owner's password. It is created aside and
 * renamed, so a start that is killed halfway leaves no cluster, only a folder that the next start removes.
 */
export async function initialize(setup: Setup): Promise<string> {
  const { folder } = setup;
  await removeUnfinished(folder);
  await completeUpgrade(folder);
  if (await exists(clusterFolder(folder))) return (await readPassword(folder)) ?? resetPassword(setup);
  const password = await writePassword(setup);
  const aside = join(folder, `new-cluster-${process.pid}`);
  await initdb(setup, aside);
  await single(setup, aside, `CREATE DATABASE ${OWNER}`);
  await rename(aside, clusterFolder(folder));
  await syncFolder(folder);
  return password;
}

/** The owner's password; `undefined` without a usable file. */
export async function readPassword(folder: string): Promise<string | undefined> {
  const text = await readFile(passwordFile(folder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim() || undefined;
}

/** The data folder in which a move builds the cluster of a newer version. */
export const upgradeFolder = (folder: string) => join(folder, "upgrade");

/**
 * Puts the cluster of a newer version in the place of the former one, which stays as `cluster-<major>`. The caller has
 * compared the two and holds the folder.
 */
export async function replaceCluster(folder: string, former: number): Promise<void> {
  await rename(clusterFolder(folder), `${clusterFolder(folder)}-${former}`);
  await completeUpgrade(folder);
}

/** Ends a replacement that was killed between its two steps: only then is there an upgrade, but no cluster. */
async function completeUpgrade(folder: string): Promise<void> {
  const upgraded = clusterFolder(upgradeFolder(folder));
  if ((await exists(clusterFolder(folder))) || !(await exists(upgraded))) return;
  await rename(upgraded, clusterFolder(folder));
  await syncFolder(folder);
  await rm(upgradeFolder(folder), { recursive: true, force: true });
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("new-cluster-"));
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 20 });
}

async function writePassword({ folder, identity }: Setup): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  await writeFile(passwordFile(folder), password, { mode: 0o600 });
  const { uid, gid } = identity;
  if (uid !== undefined && gid !== undefined) await chown(passwordFile(folder), uid, gid);
  return password;
}

/** A lost password file must not cost the data: the owner of the folder may set a new password. */
async function resetPassword(setup: Setup): Promise<string> {
  const password = await writePassword(setup);
  await single(setup, clusterFolder(setup.folder), `ALTER ROLE ${OWNER} PASSWORD '${password}'`);
  return password;
}

async function initdb({ folder, binaries, identity, durable }: Setup, cluster: string): Promise<void> {
  const args = ["-D", cluster, "-U", OWNER, "--pwfile", passwordFile(folder), "-A", "scram-sha-256"];
  args.push("--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions");
  if (!durable) args.push("--no-sync");
  await run({ command: binaries.initdb, args, identity, tie: await tieArguments("KILL"), cwd: folder });
}

/** Runs one statement in a server without network or other users, which ends afterwards. */
async function single(setup: Setup, cluster: string, statement: string): Promise<void> {
  const { binaries, identity, durable } = setup;
  const args = ["--single", "-D", cluster, "-c", `fsync=${durable ? "on" : "off"}`, "postgres"];
  const tie = await tieArguments("KILL");
  const output = await run(
    { command: binaries.postgres, args, identity, tie, cwd: cluster },
    `${statement}\n`,
  );
  if (/\b(ERROR|FATAL):/.test(output))
    throw new Error(`PostgreSQL could not be set up: ${lastLines(output)}`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
