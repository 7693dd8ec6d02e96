import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** What a step of the whole test came to. */
export interface Count {
  passed: number;
  failed: number;
}

export const PASSED: Count = { passed: 1, failed: 0 };
export const FAILED: Count = { passed: 0, failed: 1 };

/** Runs a program with our output and resolves to whether it ended with 0. */
export async function runs(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

/** Runs a package's own program, `bin` being its file below node_modules. */
export function runsTool(bin: string, args: string[], env?: Record<string, string>): Promise<boolean> {
  return runs(process.execPath, [join("node_modules", bin), ...args], env);
}

/** The full path of a program on PATH. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

/** Runs a tool that leaves a JSON report; without a readable report the step has failed as one. */
export async function counted<Report>(
  file: string,
  tool: () => Promise<boolean>,
  count: (report: Report) => Count,
): Promise<Count> {
  await rm(file, { force: true });
  const fine = await tool();
  const report = await readFile(file, "utf8").catch(() => undefined);
  if (report === undefined) return FAILED;
  const { passed, failed } = count(JSON.parse(report) as Report);
  // A file that cannot be loaded has no failing test, yet the run is not fine.
  return { passed, failed: fine ? failed : Math.max(1, failed) };
}
