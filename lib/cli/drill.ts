import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { cleanUp, cleanUpOnSignals, onCleanup } from "@/bench/cleanup";
import { findProgram, runProgram } from "@/lib/cli/step";
import { missingPrograms, newestPrograms, PROGRAMS } from "@/lib/cli/system-packages";
import { runDrill } from "../../e2e/drill/run";

const run = promisify(execFile);

const OPTIONS = { from: { type: "string" }, to: { type: "string" }, only: { type: "string" } } as const;

/** The folder of PostgreSQL's programs; throws one line when a program of the drill is missing. */
async function findPrograms(): Promise<string> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const postgres = newestPrograms(versions);
  const found: Record<string, string | undefined> = { postgres };
  for (const name of PROGRAMS) found[name] ??= await findProgram(name);
  const missing = missingPrograms(found);
  if (missing || !postgres) throw new Error(missing);
  return postgres;
}

/** Creates the release of this version and returns its archive. */
async function createRelease(): Promise<string> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  if (!(await runProgram(process.execPath, ["lib/cli/run.mjs", "package"])))
    throw new Error("The release could not be created");
  return resolve(".release", `metacode-${version}-${process.platform}-${process.arch}.tar.gz`);
}

/** Unpacks an archive to a new folder and returns the release in it; a folder is returned as it is. */
async function unpack(source: string, folder: string): Promise<string> {
  if ((await stat(source)).isDirectory()) return resolve(source);
  await mkdir(folder, { recursive: true });
  await run("tar", ["--extract", "--no-same-owner", "--file", source, "--directory", folder]);
  const [name] = await readdir(folder);
  if (!name) throw new Error(`${source} is empty`);
  return join(folder, name);
}

/** The logs of every program of the last drill. */
const LOGS = ".build/drill";

async function storeLogs(folder: string): Promise<void> {
  await rm(LOGS, { recursive: true, force: true });
  await mkdir(LOGS, { recursive: true });
  for (const place of await readdir(folder)) {
    const files = await readdir(join(folder, place));
    for (const file of files.filter((name) => name.endsWith(".log")))
      await copyFile(join(folder, place, file), join(LOGS, `${place}-${file}`));
  }
}

/**
 * `npm run drill -- [--from <release>] [--to <release>] [--only <part of a step's name>]`: runs two instances with all that
 * `deploy/` has for them, and makes the parts fail in turn under load. A release is a folder or an archive; without `--to`,
 * one of this version is created. See docs/guides/high-availability.md.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const programs = await findPrograms();
  cleanUpOnSignals();
  try {
    const archive = values.to ?? (await createRelease());
    const folder = await realpath(await mkdtemp(join(tmpdir(), "metacode-drill-")));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    onCleanup(() => storeLogs(folder));
    await run("chmod", ["755", folder]);
    const release = await unpack(values.from ?? archive, join(folder, "release"));
    const next = join(await unpack(archive, join(folder, "next")), "server.js");
    const { only } = values;
    const faults = await runDrill({
      folder,
      programs,
      release,
      next,
      ...(only && { only }),
      say: console.log,
    });
    for (const fault of faults.slice(0, 40)) console.log(`FAILED ${fault}`);
    console.log(faults.length === 0 ? "The drill passed." : `${faults.length} promises were not kept.`);
    return faults.length;
  } finally {
    await cleanUp();
  }
}

await main().then(
  (faults) => process.exit(faults > 0 ? 1 : 0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
