import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "playwright/test";
import type { RedeemLoad } from "./load";
import type { TestedService } from "./service";

export type FaultTarget = "server" | "database" | "web";

export interface Fault {
  target: FaultTarget;
  /** Milliseconds from the kill to the first response. */
  recovery: number;
}

/** Kills one process and returns its recovery. A killed server is relaunched at once, as an operator would. */
async function strike(service: TestedService, load: RedeemLoad, target: FaultTarget): Promise<number> {
  const web = service.webPids();
  const [victim = 0] = web;
  const pids = {
    server: service.pid,
    database: service.isEmbedded ? await service.postmasterPid() : 0,
    web: victim,
  };
  const killed = performance.now();
  process.kill(pids[target], "SIGKILL");
  const recovery = load.recovery(killed);
  if (target === "server") await service.relaunch();
  await recovery;
  service.assertRunning();
  const others = () => service.webPids().filter((pid) => pid !== victim).length;
  if (target === "web") await expect.poll(others, { timeout: 60_000 }).toBe(web.length);
  return recovery;
}

/** Kills server and database alternately under load, and a web process in between, with pauses of normal service. */
export async function strikeAlternately(
  service: TestedService,
  load: RedeemLoad,
  kills: number,
  random: () => number,
): Promise<Fault[]> {
  const targets = Array.from({ length: kills }, (): FaultTarget[] =>
    service.isEmbedded ? ["server", "database"] : ["server"],
  ).flat();
  targets.splice(kills, 0, "web");
  const faults: Fault[] = [];
  for (const target of targets) {
    await pause(400 + random() * 1_000);
    faults.push({ target, recovery: await strike(service, load, target) });
  }
  await pause(500);
  return faults;
}
