import { spawn } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "@/lib/cli/bundle.mjs";
import { sourceHash } from "@/lib/cli/sources";

/** Present only beside a whole build: removed before the first step, written after the last one. */
const STAMP = ".next/metacode-build";

/** The file that a web process runs. */
export const WORKER = ".build/server/worker.mjs";

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
  if (code !== 0) throw new Error(`The production build failed:\n${output.trim()}`);
}

async function writeStamp(root: string, hash: string): Promise<void> {
  const draft = join(root, `${STAMP}.${process.pid}`);
  await writeFile(draft, hash);
  await rename(draft, join(root, STAMP));
}

/**
 * Makes the production build unless one of exactly these sources lies there. A build that was killed has no stamp and
 * is made again. Throws with the tool's own output.
 */
export async function buildProduction(root = process.cwd()): Promise<"built" | "unchanged"> {
  const hash = await sourceHash(root);
  const stamp = await readFile(join(root, STAMP), "utf8").catch(() => "");
  if (stamp === hash) return "unchanged";
  say("Building (first start, or the sources changed) ...");
  await mkdir(join(root, ".next"), { recursive: true });
  await rm(join(root, STAMP), { force: true });
  await bundle({
    root,
    entry: join(root, "lib/server/worker.ts"),
    name: "server/worker",
    inject: [join(root, "lib/server/response.ts")],
  });
  await nextBuild(root);
  await writeStamp(root, hash);
  return "built";
}
