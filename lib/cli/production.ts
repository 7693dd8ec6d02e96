import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "@/lib/cli/bundle.mjs";

/** Marks a complete build: removed before the first step, written after the last. */
const STAMP = ".next/metacode-build";

/** The files that a web process and the pages process run. */
export const WORKER = ".build/server/worker.mjs";
export const PAGES_WORKER = ".build/server/pages.mjs";

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function nextBuild(root: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return;
  await rm(join(root, ".next"), { recursive: true, force: true });
  throw new Error(`The production build failed:\n${output.trim()}`);
}

async function writeStamp(root: string, hash: string): Promise<void> {
  const draft = join(root, `${STAMP}.${process.pid}`);
  await writeFile(draft, hash);
  await rename(draft, join(root, STAMP));
}

/**
 * Creates the production build unless there is one of exactly these sources. A killed build has no stamp and is repeated.
 * Throws with the tool's own output.
 */
export async function buildProduction(root = process.cwd()): Promise<"built" | "unchanged"> {
  const hash = await sourceHash(root);
  const stamp = await readFile(join(root, STAMP), "utf8").catch(() => "");
  if (stamp === hash) return "unchanged";
  say("Building (first start, or the sources changed) ...");
  // Leftovers of an interrupted build can make every later build fail.
  if (stamp === "") await rm(join(root, ".next"), { recursive: true, force: true });
  await mkdir(join(root, ".next"), { recursive: true });
  await rm(join(root, STAMP), { force: true });
  const inject = [join(root, "lib/web/server/response.ts")];
  await bundle({ root, entry: join(root, "lib/cli/web-entry.ts"), name: "server/worker", inject });
  await bundle({ root, entry: join(root, "lib/cli/pages-entry.ts"), name: "server/pages", inject });
  await nextBuild(root);
  await writeStamp(root, hash);
  return "built";
}

/** The sources of a build; other changes need no new one. */
const FOLDERS = ["app", "components", "lib", "public", "drizzle"];
const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "instrumentation.ts",
  "proxy.ts",
];
const NOT_BUILT = /\.test\.tsx?$|^lib\/testing\//;

async function listFiles(root: string): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    }),
  );
  return [...found.flat(), ...FILES].filter((file) => !NOT_BUILT.test(file)).sort();
}

/** SHA-256 of the names and contents of all sources, and of the version of Node. */
async function sourceHash(root: string): Promise<string> {
  const files = await listFiles(root);
  const contents = await Promise.all(files.map((file) => readFile(join(root, file)).catch(() => "missing")));
  const hash = createHash("sha256").update(process.version);
  for (const [index, file] of files.entries()) hash.update(`\0${file}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
}
