import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { signal } from "@/lib/postgres/process";
import { type Program, run } from "@/lib/postgres/run";
import { shared } from "@/lib/shared";

/**
 * Words that tie a program to our life: the kernel signals it when the thread that spawned it ends, even by
 * `kill -9`. Empty where there is no util-linux.
 */
export async function tieWords(name: "INT" | "KILL"): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const probe: Program = { command: "setpriv", args: ["--pdeathsig", "INT", "true"] };
  const able = await shared("postgres.tie", () =>
    run(probe).then(
      () => true,
      () => false,
    ),
  );
  return able ? ["setpriv", "--pdeathsig", name] : [];
}

/**
 * Ties a running server to our life where {@link tieWords} cannot: a shell waits for the end of a pipe that
 * only we hold, then asks the server to shut down fast. Returns the function that unties it.
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
