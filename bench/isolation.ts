import type { ChildProcess } from "node:child_process";
import { forkBench, requestJob } from "@/bench/children";
import { residentOf } from "@/bench/cpu";
import type { FloodJob, FloodResult } from "@/bench/load/flood";
import type { LoadJob, LoadResult, Template } from "@/bench/load/job";
import { printTable, printTarget } from "@/bench/print";
import { type RunningService, startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { redeemTemplate, templates } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";
import { median } from "@/lib/testing/numbers";

/** Connections of the measured callers, for each of the two endpoints. */
const CALLERS = 2;
const LINKS = 40_000;

const browser = {
  "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15",
};
const page = (path: string, headers = {}): Template => ({
  method: "GET",
  path,
  headers: { ...browser, Accept: "text/html", ...headers },
});

/** Ten language tags that no earlier request had: of our languages, of languages near ours, and of others. */
const tags = ["de", "pt", "zh", "af", "ca", "ga", "qaa", "qab", "kl", "xx"].map((code) => `${code}-1a{n}`);

const FLOODS: Record<string, Pick<FloodJob, "connections" | "pipelined" | "template">> = {
  "/docs?n": { connections: 16, pipelined: 1, template: page("/docs?n={n}") },
  "404 pages": { connections: 16, pipelined: 1, template: page("/nothing-{n}") },
  "/sign-in": { connections: 16, pipelined: 1, template: page("/sign-in?next=%2Fdashboard%3F{n}") },
  "docs search": { connections: 16, pipelined: 1, template: page("/docs/search?q=reward+{n}") },
  "uncached share images": { connections: 16, pipelined: 1, template: page("/r/{slug}/image/x.png") },
  "cold landing pages": {
    connections: 16,
    pipelined: 1,
    template: page(`/r/{slug}?lang=${tags}`, { "Accept-Language": `${tags.toReversed()}` }),
  },
  "300 pipelined 404s": { connections: 6, pipelined: 300, template: page("/nothing-{n}") },
};

interface Callers {
  seconds: number;
  port: number;
  /** For each endpoint, a load process, its request, and the number of the next request. */
  endpoints: { name: string; loader: ChildProcess; template: Template; next: number; slugs: string[] }[];
}

/** Calls both endpoints at once and returns their results in the order of the endpoints. */
async function callBoth({ seconds, port, endpoints }: Callers): Promise<LoadResult[]> {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const { loader, template, next: from, slugs } = endpoint;
      const until = Number.MAX_SAFE_INTEGER;
      const job: LoadJob = { port, connections: CALLERS, seconds, template, from, until, slugs };
      const result = await requestJob<LoadResult>(loader, job);
      endpoint.next += result.requests;
      return result;
    }),
  );
}

/** Calls the API during a flood, each time after calls without one. */
async function compare(stage: Stage, service: RunningService, callers: Callers, slugs: string[]) {
  const flooder = await forkBench("load/flood");
  const runs = new Map<string, { plain: LoadResult[][]; flooded: LoadResult[][]; flood: FloodResult[] }>();
  let from = 0;
  for (let round = 0; round < (stage.quick ? 1 : 3); round++)
    for (const [name, flood] of Object.entries(FLOODS)) {
      const run = runs.get(name) ?? { plain: [], flooded: [], flood: [] };
      runs.set(name, run);
      run.plain.push(await callBoth(callers));
      const job: FloodJob = { ...flood, port: service.port, seconds: callers.seconds + 1, from, slugs };
      const flooding = requestJob<FloodResult>(flooder, job);
      // The flood is under way before the calls begin.
      await new Promise((resolve) => setTimeout(resolve, 500));
      run.flooded.push(await callBoth(callers));
      const result = await flooding;
      from += result.requests;
      run.flood.push(result);
    }
  return runs;
}

/** Measures the API while pages are flooded, beside the API alone, and prints the memory of each process. */
export async function benchIsolation(stage: Stage): Promise<void> {
  const { quick, db, folder, url } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "iso", LINKS);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 60_000 : 300_000);
  await db.query("vacuum analyze");
  const service = await startService(folder, {
    DATABASE_URL: url,
    AUTH_SECRET: "i".repeat(32),
    WEB_PROCESSES: "2",
  });
  const endpoints = [
    { name: "/referrer", template: templates(sample)["/referrer (new)"], slugs },
    { name: "redeem", template: redeemTemplate(sample.api_key, "isolated"), slugs },
  ];
  const callers: Callers = { seconds: quick ? 4 : 8, port: service.port, endpoints: [] };
  for (const endpoint of endpoints)
    callers.endpoints.push({ ...endpoint, next: 0, loader: await forkBench("load/main") });
  // The first thousands of requests are slower, until their code is compiled.
  for (let warm = 0; warm < 3; warm++) await callBoth(callers);
  const runs = await compare(stage, service, callers, slugs);
  for (const [index, { name }] of endpoints.entries()) printEndpoint(name, index, runs);
  printTable(
    "resident memory",
    ["MB"],
    residentOf(service.pid).map(({ name, mb }) => [name, mb.toFixed(0)]),
  );
  await service.stop();
}

function printEndpoint(name: string, index: number, runs: Awaited<ReturnType<typeof compare>>): void {
  const of = (results: LoadResult[][], value: "p50" | "p99") =>
    median(results.map((round) => round[index]?.[value] ?? 0));
  const failures = (results: LoadResult[][]) =>
    results.flatMap((round) => Object.values(round[index]?.failed ?? {})).reduce((sum, n) => sum + n, 0);
  const rows = [...runs].map(([flood, { plain, flooded, flood: floods }]) => [
    flood,
    ...[of(plain, "p50"), of(flooded, "p50"), of(plain, "p99"), of(flooded, "p99")].map((ms) =>
      ms.toFixed(2),
    ),
    String(failures(plain) + failures(flooded)),
    summary(floods),
  ]);
  printTable(
    `${name}, flooded with`,
    ["p50 ms alone", "p50 ms flooded", "p99 ms alone", "p99 ms flooded", "failed", "the flood's responses"],
    rows,
  );
  for (const [flood, { plain, flooded }] of runs)
    printTarget(`p99 of ${name} under ${flood} / alone`, of(flooded, "p99") / of(plain, "p99"), { most: 3 });
  console.log();
}

function summary(floods: FloodResult[]): string {
  const total: Record<string, number> = {};
  for (const { statuses } of floods)
    for (const [status, count] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + count;
  return Object.entries(total)
    .map(([status, count]) => `${status === "0" ? "cut" : status}: ${count}`)
    .join(", ");
}
