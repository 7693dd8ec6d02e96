import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { installationBacklogs } from "@/lib/outward/problems/backlogs";
import type { Db } from "@/lib/platform/db/client";
import { MAX_COUNTED } from "@/lib/platform/jobs/backlog";
import { singleton } from "@/lib/platform/singleton";

/** The event loop's delay is sampled this often; the library's own 10 ms keep an idle process busy. */
const LOOP_SAMPLE_MS = 100;

function createMetrics() {
  const registry = new Registry();
  // A port is shared by several processes, and any of them answers.
  registry.setDefaultLabels({ process: String(process.pid) });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  const registers = [registry];
  const oldest = new Gauge({
    name: "metacode_oldest_due_seconds",
    help: "Seconds for which the oldest due row of a queue or round has waited",
    labelNames: ["queue"],
    registers,
  });
  const due = new Gauge({
    name: "metacode_due_rows",
    help: `Due rows of a queue or round, counted up to ${MAX_COUNTED}`,
    labelNames: ["queue"],
    registers,
  });
  return { registry, oldest, due };
}

/** The metrics of this process and of the installation, in the format of Prometheus. */
export async function collectMetrics(db: Db): Promise<{ text: string; type: string }> {
  const { registry, oldest, due } = singleton("metrics", createMetrics);
  for (const { name, seconds, rows } of await installationBacklogs(db, MAX_COUNTED)) {
    oldest.set({ queue: name }, seconds);
    due.set({ queue: name }, rows);
  }
  return { text: await registry.metrics(), type: registry.contentType };
}
