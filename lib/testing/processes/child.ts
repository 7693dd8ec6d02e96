import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundle } from "@/lib/cli/bundle.mjs";

/** A module of the project in a separate Node process. */
export interface Child {
  process: ChildProcess;
  pid: number;
  /** The first line of its output; rejects with the error output when the process ends without one. */
  firstLine: Promise<string>;
  /** Kills the process as `kill -9` does and waits for its exit. */
  kill(): Promise<void>;
}

/** Bundles a module for a separate process and returns the path of the file. */
export function bundleForChild(entry: string): Promise<string> {
  const root = process.cwd();
  const name = `testing/${entry.replace(/\W/g, "-")}-${process.pid}`;
  return bundle({ root, entry: join(root, entry), name });
}

/** Starts a bundled module. */
export function startChild(file: string, args: string[], options: SpawnOptions = {}): Child {
  const child = spawn(process.execPath, [file, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const firstLine = new Promise<string>((resolve, reject) => {
    let errors = "";
    child.stdout?.once("data", (data) => resolve(String(data).trim()));
    child.stderr?.on("data", (data) => {
      errors += data;
    });
    child.once("close", () => reject(new Error(errors.trim())));
  });
  firstLine.catch(() => {});
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { process: child, pid: child.pid ?? 0, firstLine, kill };
}
