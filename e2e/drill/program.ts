import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** PostgreSQL and Patroni refuse to run as root, so root starts them as Debian's `postgres`. */
const IDENTITY: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

function idOf(flag: string): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

/** Creates a folder that the programs may write. */
export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (IDENTITY.uid !== undefined) chownSync(path, IDENTITY.uid, IDENTITY.gid ?? IDENTITY.uid);
  return path;
}

/** Writes a file that only the programs may read; some of them write it again. */
export function writeConfig(path: string, text: string): string {
  writeFileSync(path, text, { mode: 0o600 });
  if (IDENTITY.uid !== undefined) chownSync(path, IDENTITY.uid, IDENTITY.gid ?? IDENTITY.uid);
  return path;
}

/** A program of the drill, which runs in its own folder, its home, with its log there. */
export class DrillProgram {
  private child: ChildProcess | undefined;

  constructor(
    private readonly name: string,
    private readonly folder: string,
    private readonly command: string,
    private readonly args: string[],
  ) {}

  get logFile(): string {
    return join(this.folder, `${this.name}.log`);
  }

  /** Starts the program, unless it runs, in a separate process group, so that Ctrl-C reaches only the drill. */
  start(): void {
    if (this.running) return;
    const log = openSync(this.logFile, "a");
    this.child = spawn(this.command, this.args, {
      ...IDENTITY,
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, LC_ALL: "C.UTF-8" } as unknown as NodeJS.ProcessEnv,
      stdio: ["ignore", log, log],
      detached: true,
    });
    closeSync(log);
    this.child.on("error", () => undefined);
  }

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    if (this.running) this.child?.kill(name);
  }

  /** `kill -9`, also of a process that is stopped; resolves when it has ended. */
  async kill(): Promise<void> {
    if (!this.running || !this.child) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}

/** Waits for a condition; an error counts as not yet. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  seconds = 60,
): Promise<void> {
  for (const begin = performance.now(); ; await pause(100)) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    if (performance.now() - begin > seconds * 1_000) throw new Error(`Not within ${seconds} s: ${what}`);
  }
}

/** Whether an address answers 200. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  return response.status === 200;
}
