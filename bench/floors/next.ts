import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { stopChild } from "@/bench/children";
import { onCleanup } from "@/bench/cleanup";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { run } from "@/lib/platform/embedded-postgres/run";

const NEXT = "next/dist/bin/next";

/** Builds the application of `bench/floor-next`, one empty route handler, in a folder that is not part of the sources. */
async function build(): Promise<string> {
  const folder = resolve(".build/bench-floor-next");
  await rm(folder, { recursive: true, force: true });
  await cp("bench/floor-next", folder, { recursive: true });
  const settings = { outputFileTracingRoot: folder };
  await writeFile(join(folder, "next.config.mjs"), `export default ${JSON.stringify(settings)};\n`);
  // Turbopack also looks for proxy.ts and instrumentation.ts in parent folders and would build in the service's own.
  await run({ command: process.execPath, args: [join("node_modules", NEXT), "build", "--webpack", folder] });
  for (const name of ["middleware.js", "instrumentation.js"]) {
    if (existsSync(join(folder, ".next/server", name)))
      throw new Error(`The empty application has a ${name}`);
  }
  return folder;
}

/** The empty handler under plain `next start`. */
export async function startNextFloor(): Promise<{ port: number; pid: number }> {
  const folder = await build();
  const port = await freePort();
  const args = [join("node_modules", NEXT), "start", folder, "-p", String(port), "-H", "127.0.0.1"];
  const env = { ...process.env, NODE_ENV: "production" as const };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  onCleanup(() => stopChild(child));
  for await (const chunk of child.stdout) if (/Ready in/.test(String(chunk))) break;
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error("The empty application does not start");
  return { port, pid: child.pid ?? 0 };
}
