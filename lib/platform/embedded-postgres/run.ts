import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Identity } from "@/lib/platform/embedded-postgres/identity";
import { signal } from "@/lib/platform/embedded-postgres/process";
import { singleton } from "@/lib/platform/singleton";

/** A program to run, with its identity and the arguments before it. */
export interface Program {
  command: string;
  args: string[];
  identity?: Identity;
  /** Arguments between the identity's and the command: they must come directly before it to have an effect. */
  tie?: string[];
  cwd?: string;
}

/** Spawns a program in a separate session, so that Ctrl-C in the terminal does not reach it. */
export function spawnProgram(program: Program, stdio: StdioOptions): ChildProcess {
  const { identity, cwd } = program;
  const line = [...(identity?.prefix ?? []), ...(program.tie ?? []), program.command, ...program.args];
  const [command = "", ...args] = line;
  const user = { ...(identity?.uid !== undefined && { uid: identity.uid, gid: identity.gid }) };
  return spawn(command, args, { ...user, cwd, stdio, detached: true, windowsHide: true });
}

/** Runs a program to its end with `input` on its standard input; rejects with the last lines of its output. */
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
  if (code !== 0) throw new Error(`${program.command} failed (${code}): ${lastLines(output)}`);
  return output;
}

/** The lines of a log that name an error, else its last line. */
export function lastLines(log: string): string {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const reasons = lines.filter((line) => /\b(FATAL|PANIC|error|could not|cannot)\b/i.test(line));
  return (reasons.length > 0 ? reasons.slice(-2) : lines.slice(-1)).join("; ");
}

/**
 * Arguments that tie a program to this process: the kernel signals it when the thread that spawned it ends, even by
 * `kill -9`. Empty where there is no util-linux.
 */
export async function tieArguments(name: "INT" | "KILL"): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const probe: Program = { command: "setpriv", args: ["--pdeathsig", "INT", "true"] };
  const able = await singleton("postgres.tie", () =>
    run(probe).then(
      () => true,
      () => false,
    ),
  );
  return able ? ["setpriv", "--pdeathsig", name] : [];
}

/**
 * Ties a running server to this process where {@link tieArguments} cannot: a shell waits for the end of a pipe that only
 * this process holds, then shuts the server down fast. Returns the function that unties it.
 */
export function watchFor(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  const script = 'read -r _; kill -INT "$1"';
  const watcher = spawn("sh", ["-c", script, "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => {}).unref();
  (watcher.stdin as Socket | null)?.unref();
  return () => watcher.pid && signal(watcher.pid, "SIGKILL");
}
