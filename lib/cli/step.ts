import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { stopWith } from "@/lib/cli/database";

/** The result of a step of `npm test`. */
export interface Count {
  passed: number;
  failed: number;
  /** The failed tests with their reasons, for the end of the output. */
  failures?: string[];
  skipped?: number;
  /** Lines about tests that were slow or skipped. */
  notes?: string[];
}

const PASSED: Count = { passed: 1, failed: 0 };
export const FAILED: Count = { passed: 0, failed: 1 };

/** Reads the arguments of a command, and ends it with one line where one is unknown. */
export function readArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    stopWith(error);
    process.exit();
  }
}

/** Runs a program on this process's output and returns whether it exited with 0. */
export async function runProgram(
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

/** Runs the program of a package; `bin` is its file below node_modules. */
export function runTool(bin: string, args: string[], env?: Record<string, string>): Promise<boolean> {
  return runProgram(process.execPath, [join("node_modules", bin), ...args], env);
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

/** Runs a tool that writes a JSON report. A missing report counts as one failure. */
export async function runWithReport<Report>(
  file: string,
  tool: () => Promise<boolean>,
  count: (report: Report) => Count,
): Promise<Count> {
  await rm(file, { force: true });
  const fine = await tool();
  const report = await readFile(file, "utf8").catch(() => undefined);
  if (report === undefined) return FAILED;
  const counted = count(JSON.parse(report) as Report);
  // A file that fails to load reports no failing test, but the run has still failed.
  return { ...counted, failed: fine ? counted.failed : Math.max(1, counted.failed) };
}

/** The count of a step that is one check. */
const toCount = (fine: boolean): Count => (fine ? PASSED : FAILED);

/** Checks format, lint and the order of imports. */
export async function checkStyle(): Promise<Count> {
  return toCount(await runTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]));
}

/** Checks the types of every file, tests and tools included. */
export async function checkTypes(...options: string[]): Promise<Count> {
  return toCount(await runTool("typescript/bin/tsc", ["-p", ".", "--noEmit", ...options]));
}

/** Creates the production build with the given Node. */
export async function build(node: string): Promise<Count> {
  return toCount(await runProgram(node, ["lib/cli/run.mjs", "build"]));
}

/** Four checkers, the default, need 1.6 times the processor time of one, which runs beside the build in less time. */
export async function typesAndBuild(node: string): Promise<Count> {
  const [types, built] = await Promise.all([checkTypes("--checkers", "1"), build(node)]);
  const failures = [types.failed ? "types" : [], built.failed ? "production build" : []].flat();
  return { passed: 2 - failures.length, failed: failures.length, failures };
}
