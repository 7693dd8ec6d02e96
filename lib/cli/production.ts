import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertNotRunning, BUILD_STAMP, deploymentId } from "@/lib/cli/build-stamp";
import { bundle } from "@/lib/cli/bundle.mjs";
import { say } from "@/lib/cli/serve";
import { writeHighlights } from "@/lib/web/docs/highlight-store";

/**
 * Salts the ids of server actions, so that builds on all machines and of all versions have the same ids. It need not be
 * secret: it would encrypt only the closures of inline actions, which a test refuses (docs/decisions/releases.md).
 */
export const ACTION_KEY = createHash("sha256").update("metacode.server-actions").digest("base64");

async function nextBuild(root: string, deployment: string): Promise<void> {
  const own = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: ACTION_KEY,
    NEXT_DEPLOYMENT_ID: deployment,
  } as const;
  const child = spawn(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
    cwd: root,
    env: { ...process.env, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  // Killed with this process; otherwise it would go on writing during the build of the next start.
  const end = () => child.kill();
  const endBoth = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  process.once("exit", end).once("SIGTERM", endBoth).once("SIGINT", endBoth);
  const code = await new Promise((resolve) => child.once("close", resolve));
  process.off("exit", end).off("SIGTERM", endBoth).off("SIGINT", endBoth);
  if (code === 0) return;
  await rm(join(root, ".next"), { recursive: true, force: true });
  throw new Error(`The production build failed:\n${output.trim()}`);
}

async function writeStamp(root: string, stamp: string): Promise<void> {
  const draft = join(root, `${BUILD_STAMP}.${process.pid}`);
  await writeFile(draft, stamp);
  await rename(draft, join(root, BUILD_STAMP));
}

/**
 * Creates the production build unless there is one of exactly these sources. A killed build has no stamp and is repeated.
 * Throws with the tool's own output, and if a running service reads the existing build.
 */
export async function buildProduction(root = process.cwd()): Promise<"built" | "unchanged"> {
  const sources = await sourceHash(root);
  const wanted = `${sources} ${process.version}\n`;
  const stamp = await readFile(join(root, BUILD_STAMP), "utf8").catch(() => "");
  if (stamp === wanted) return "unchanged";
  await assertNotRunning(root);
  say("Building (first start, or the sources changed) ...");
  // Leftovers of an interrupted build can make every later build fail.
  if (stamp === "") await rm(join(root, ".next"), { recursive: true, force: true });
  await mkdir(join(root, ".next"), { recursive: true });
  await rm(join(root, BUILD_STAMP), { force: true });
  const inject = [join(root, "lib/web/server/response.ts")];
  await bundle({ root, entry: join(root, "lib/cli/web-entry.ts"), name: "server/worker", inject });
  await bundle({ root, entry: join(root, "lib/cli/pages-entry.ts"), name: "server/pages", inject });
  await nextBuild(root, deploymentId(wanted));
  await writeHighlights(root);
  await writeStamp(root, wanted);
  return "built";
}

/** The sources of a build; changes of other files need no new one. */
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

/** SHA-256 of the names and contents of all sources: equal on every machine that builds the same commit. */
async function sourceHash(root: string): Promise<string> {
  const files = await listFiles(root);
  const contents = await Promise.all(files.map((file) => readFile(join(root, file)).catch(() => "missing")));
  const hash = createHash("sha256");
  for (const [index, file] of files.entries()) hash.update(`\0${file}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
}

/** The commands of a release: `start`, and those that guides and messages give to operators. */
const COMMANDS = ["start", "plan", "sample", "backup", "restore", "move", "void-codes", "distribute"];

/** Bundles the commands of a release and returns the files, relative to `root`. */
export async function bundleCommands(root: string): Promise<string[]> {
  for (const command of COMMANDS) {
    const file = command === "start" ? "start-release" : command;
    await bundle({ root, entry: join(root, `lib/cli/${file}.ts`), name: `release/${command}` });
  }
  return COMMANDS.map((command) => `.build/release/${command}.mjs`);
}
