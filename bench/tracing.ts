import { once } from "node:events";
import { forkBench } from "@/bench/children";
import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { redeemTemplate } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";
import { traced } from "@/lib/platform/tracing";

const WITHOUT = "redeem without a collector";
const WITH = "redeem, every span sent";

const CALLS = 1_000_000;

/** Nanoseconds that a span adds to a call when no collector is set. */
async function costOfSpan(): Promise<number> {
  const work = () => Promise.resolve();
  const time = async (call: () => Promise<void>) => {
    const start = performance.now();
    for (let count = 0; count < CALLS; count++) await call();
    return ((performance.now() - start) * 1e6) / CALLS;
  };
  const span = () => traced("span", { kind: "client", below: true }, work);
  // A first measurement of each lets the compiler optimise it.
  for (const call of [work, span]) await time(call);
  return (await time(span)) - (await time(work));
}

/** Measures redeem in a service that sends its spans to a collector, against a service without one. */
export async function benchTracing({ quick, db, loader, folder, service, url }: Stage): Promise<void> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "traced", 5_000);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 60_000 : 200_000);
  await db.query("update apps set referrer_daily_cap = null where id = $1", [sample.app_id]);
  await db.query("vacuum analyze");
  const collector = await forkBench("load/receiver");
  const [{ port }] = (await once(collector, "message")) as [{ port: number }];
  const tracing = await startService(folder, {
    DATABASE_URL: url,
    AUTH_SECRET: "b".repeat(32),
    WEB_PROCESSES: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  const subjects = Object.entries({ [WITHOUT]: service, [WITH]: tracing }).map(([name, { port, pid }]) =>
    httpSubject(loader, name, {
      port,
      pids: [pid, service.databasePid],
      template: redeemTemplate(sample.api_key, name === WITH ? "traced" : "untraced"),
      numbers: new Numbers(slugs),
    }),
  );
  // A new process compiles its hot code during the first thousands of requests.
  await interleave(subjects, { connections: 32, seconds: 4 }, 1);
  const runs = await interleave(subjects, { connections: 32, seconds: quick ? 1 : 3 }, quick ? 3 : 6);
  printRuns("32 connections", runs);
  printTarget("redeem, every span sent / without a collector", ratio(runs, WITH, WITHOUT), { least: 0.8 });
  console.log(`        a span without a collector: ${(await costOfSpan()).toFixed(0)} ns\n`);
  await tracing.stop();
}
