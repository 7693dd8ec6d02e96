import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onCleanup } from "@/bench/cleanup";
import type { WorkerReply } from "@/bench/worker";
import { bundle } from "@/lib/cli/bundle.mjs";

/** Bundles a file of `bench/` and runs it as a process that ends with the benchmark. */
export async function forkBench(name: string, args: string[] = []): Promise<ChildProcess> {
  const root = process.cwd();
  const file = await bundle({ root, entry: join(root, "bench", `${name}.ts`), name: `bench/${name}` });
  const child = fork(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onCleanup(() => stopChild(child));
  return child;
}

/** Ends a process and waits for its exit; kills it after `patience` milliseconds. */
export async function stopChild(child: ChildProcess, patience = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  await ended;
  clearTimeout(timer);
}

/** Sends a job to a worker and returns its result. Throws the error of the worker. */
export async function requestJob<Result>(child: ChildProcess, job: object): Promise<Result> {
  const answer = new Promise<WorkerReply<Result>>((resolve, reject) => {
    const onExit = () => reject(new Error("a process of the benchmark ended too early"));
    child.once("exit", onExit);
    child.once("message", (reply: WorkerReply<Result>) => {
      child.off("exit", onExit);
      resolve(reply);
    });
  });
  child.send(job);
  const reply = await answer;
  if ("error" in reply) throw new Error(reply.error);
  return reply.result;
}
