import { sql } from "drizzle-orm";
import { collectProcesses, shareMetrics } from "@/lib/outward/metrics/registry";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { env } from "@/lib/platform/env";
import { runQueue } from "@/lib/platform/jobs/queue";
import { forwardTo } from "@/lib/web/server/forward";
import { watchWarmth } from "@/lib/web/server/readiness";
import { WARM } from "@/lib/web/server/supervise";
import { createRouteTable, type ModuleHandler } from "@/lib/web/server/table";
import { runWebProcess } from "@/lib/web/server/web-process";
import { runWorker } from "@/lib/web/server/worker";

// A web process without database and pages, whose routes show the state that the supervisor's tests check.
const notes: unknown[] = [];
let held = 0;
let release = () => {};
const ending = new Promise<void>((resolve) => {
  release = resolve;
});

onBroadcast("note", ({ text }) => void notes.push(text));

/** Number of polls of an always empty queue: one at the start, the others because it was woken. */
let looks = 0;
runQueue({
  name: "test",
  due: sql`select where false`,
  take: async () => {
    looks += 1;
    return [];
  },
  extend: async () => undefined,
  lease: 60,
  work: async () => undefined,
  concurrency: 1,
  pollMs: 3_600_000,
});

const state: ModuleHandler = () =>
  Response.json({ pid: process.pid, notes, held, looks, memory: process.memoryUsage.rss() });

const tell: ModuleHandler = async (request) => {
  const text = await request.text();
  notes.push(text);
  await broadcast({ kind: "note", text });
  return Response.json({ pid: process.pid });
};

/** Answers only once the work beside the requests is being ended. */
const hold: ModuleHandler = async () => {
  held += 1;
  await ending;
  return Response.json({ pid: process.pid });
};

/** Blocks the event loop for a minute. */
const hang: ModuleHandler = () => {
  for (const end = performance.now() + 60_000; performance.now() < end; );
  return Response.json({});
};

/** Stands in for the metrics, which need a database. */
const ownMetrics = async () => String(process.pid);
shareMetrics(ownMetrics);
const metrics: ModuleHandler = async () => Response.json(await collectProcesses(ownMetrics));

const table = createRouteTable([
  { path: "/api/ready", module: { GET: () => Response.json({}) } },
  { path: "/api/metrics", module: { GET: metrics } },
  { path: "/api/state", module: { GET: state } },
  { path: "/api/tell", module: { POST: tell } },
  { path: "/api/hang", module: { GET: hang } },
  { path: "/api/hold", module: { GET: hold } },
  {
    path: "/api/size",
    module: { POST: async (request) => Response.json((await request.arrayBuffer()).byteLength) },
  },
]);

const [, , address = "", starts = "yes", pages = "", warmth] = process.argv;
if (starts === "never") await runWorker(() => new Promise(() => undefined));
await runWebProcess(
  {
    table,
    pages: forwardTo(address),
    ...(pages && { ready: watchWarmth(address, { warm: warmth === WARM }) }),
    host: "127.0.0.1",
    port: env().PORT,
    hops: 0,
    drainDelay: env().DRAIN_DELAY_MS,
  },
  () => async () => release(),
);
