import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "esbuild";

/** A module of the project running in a Node process of its own. */
export interface Child {
  process: ChildProcess;
  pid: number;
  /** First line of its output; rejects with its error output when it ends without one. */
  firstLine: Promise<string>;
  /** Kills it as `kill -9` does and waits for its end. */
  kill(): Promise<void>;
}

/** Bundles a module so that plain Node runs it; resolves to the file, inside the tree for its imports. */
export async function bundle(entry: string): Promise<string> {
  const outfile = join(".build", "testing", `${entry.replace(/\W/g, "-")}-${process.pid}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  return outfile;
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
