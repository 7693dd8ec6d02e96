import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "playwright/test";
import type { Load } from "./load";
import type { Service } from "./service";

export type Target = "server" | "database" | "web";

export interface Fault {
  target: Target;
  /** Milliseconds from the kill to the first answer. */
  recovery: number;
}

/** Numbers in [0, 1) that a seed repeats. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Kills one process without a word and resolves to its recovery. Who looks after the server starts it again at once. */
async function strike(service: Service, load: Load, target: Target): Promise<number> {
  const web = service.webPids();
  const [victim = 0] = web;
  const pids = { server: service.pid, database: await service.postmasterPid(), web: victim };
  const killed = performance.now();
  process.kill(pids[target], "SIGKILL");
  const recovery = load.recovery(killed);
  if (target === "server") await service.relaunch();
  const others = () => service.webPids().filter((pid) => pid !== victim).length;
  if (target === "web") await expect.poll(others, { timeout: 10_000 }).toBe(web.length);
  return recovery;
}

/** Kills by turns under load, each time after the service has answered and run for a while. */
export async function strikeByTurns(
  service: Service,
  load: Load,
  kills: number,
  random: () => number,
): Promise<Fault[]> {
  const turns = Array.from({ length: kills }, (): Target[] => ["server", "database"]).flat();
  turns.splice(kills, 0, "web");
  const faults: Fault[] = [];
  for (const target of turns) {
    await pause(400 + random() * 1_000);
    faults.push({ target, recovery: await strike(service, load, target) });
  }
  await pause(500);
  return faults;
}
