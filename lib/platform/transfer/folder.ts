import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { formatNumber } from "@/lib/contract/format";
import { newestMigration } from "@/lib/platform/db/migrate";
import { syncFolder } from "@/lib/platform/sync-folder";
import type { TransferSource } from "@/lib/platform/transfer/fill";

/** Names the tables of a backup and what is in them. Written last, so a folder without it is not a backup. */
const MANIFEST = "manifest.json";

const manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** The newest migration of the version that wrote it. */
  migration: z.number(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      checksum: z.string(),
      /** SHA-256 of the table's file, in hex. */
      sha256: z.string(),
    }),
  ),
});

type Manifest = z.infer<typeof manifest>;

const fileOf = (folder: string, name: string) => join(folder, `${name}.copy.gz`);

/** Writes every row of a source into an empty folder, a file per table. Returns the number of rows. */
export async function writeBackup(
  source: TransferSource & { takenAt: string },
  folder: string,
  say: (line: string) => void,
): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty: use a new folder for each backup`);
  const { takenAt } = source;
  const tables: Manifest["tables"] = [];
  for (const table of source.tables) {
    const digest = await source.digest(table);
    const file = fileOf(folder, table.name);
    const sink = createWriteStream(file, { mode: 0o600, flush: true });
    await pipeline(await source.read(table), createGzip({ level: 1 }), sink);
    tables.push({ ...table, ...digest, sha256: await hashFile(file) });
    if (digest.rows > 0) say(`${table.name}: ${formatNumber(digest.rows)} rows`);
  }
  const content: Manifest = { format: 1, takenAt, migration: newestMigration(), tables };
  const draft = join(folder, `${MANIFEST}.new`);
  await writeFile(draft, JSON.stringify(content), { mode: 0o600, flush: true });
  await rename(draft, join(folder, MANIFEST));
  await syncFolder(folder);
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** A backup as a source. Throws when the folder holds none, or when a file is not the one that was written. */
export async function openBackup(folder: string): Promise<TransferSource & { takenAt: string }> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`There is no complete backup in ${folder}: it has no ${MANIFEST}`);
  const { tables, takenAt, migration } = parseManifest(text, folder);
  if (migration !== newestMigration()) {
    throw new Error(
      "The backup is of another version of Metacode: restore it with that version, then start this one",
    );
  }
  for (const { name, sha256 } of tables) {
    const found = await hashFile(fileOf(folder, name)).catch(() => "");
    if (found !== sha256)
      throw new Error(`The backup in ${folder} is damaged: ${name}.copy.gz is not as it was written`);
  }
  const byName = new Map(tables.map((table) => [table.name, table]));
  return {
    takenAt,
    tables,
    digest: async ({ name }) => byName.get(name) ?? { rows: 0, checksum: "" },
    read: ({ name }) => createReadStream(fileOf(folder, name)).compose(createGunzip()),
  };
}

function parseManifest(text: string, folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The ${MANIFEST} in ${folder} is damaged, or of another version of Metacode`, { cause });
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
