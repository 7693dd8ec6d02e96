import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Identity } from "@/lib/postgres/identity";

/** A program to run, with the identity and the words before it. */
export interface Program {
  command: string;
  args: string[];
  identity?: Identity;
  /** Words between the identity's and the command: they must come last before it to survive. */
  tie?: string[];
  cwd?: string;
}

/** Spawns a program in a session of its own, so that Ctrl-C in the terminal reaches only us. */
export function spawnProgram(program: Program, stdio: StdioOptions): ChildProcess {
  const { identity, cwd } = program;
  const words = [...(identity?.prefix ?? []), ...(program.tie ?? []), program.command, ...program.args];
  const [command = "", ...args] = words;
  const user = { ...(identity?.uid !== undefined && { uid: identity.uid, gid: identity.gid }) };
  return spawn(command, args, { ...user, cwd, stdio, detached: true, windowsHide: true });
}

/** Runs a program to its end with `input` on its standard input; rejects with its last words. */
export async function run(program: Program, input = ""): Promise<string> {
  const child = spawnProgram(program, ["pipe", "pipe", "pipe"]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  child.stdin?.on("error", () => {}).end(input);
  const code = await new Promise<number | string | null>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (exit, signal) => resolve(exit ?? signal));
  });
  if (code !== 0) throw new Error(`${program.command} failed (${code}): ${lastWords(output)}`);
  return output;
}

/** The lines of a log that say what went wrong, else its last one. */
export function lastWords(log: string): string {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const reasons = lines.filter((line) => /\b(FATAL|PANIC|error|could not|cannot)\b/i.test(line));
  return (reasons.length > 0 ? reasons.slice(-2) : lines.slice(-1)).join("; ");
}
