import pg from "pg";
import { onCleanup } from "@/bench/cleanup";
import type { LoadResult } from "@/bench/load/job";
import { interleave, type Measure } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, type LoadSize, Numbers, type Subject } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addOpenReferrals, addReferrers, createBenchTenant } from "@/bench/tenant";
import { median } from "@/lib/testing/numbers";

const WEBHOOK = "confirmation webhook";
const LOOP = "floor: a bare loop of one durable insert";

/** Number of open referrals, as many as this part of the benchmark confirms. */
const ROWS = { quick: 15_000, full: 120_000 };

async function webhook({ db, loader, service, url, quick }: Stage): Promise<Subject> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "inbox", 2_000);
  const rows = quick ? ROWS.quick : ROWS.full;
  await addOpenReferrals(db, sample.app_id, sample.campaign_id, slugs, rows);
  await db.query("vacuum analyze");
  const template = templates(sample)[WEBHOOK];
  return httpSubject(loader, WEBHOOK, {
    port: service.port,
    pids: [service.pid],
    template,
    numbers: new Numbers(slugs, rows),
  });
}

/** The minimum cost of storing a delivery: its payload in one committed row, without HTTP or matching. */
async function bareLoop({ db, url, service }: Stage): Promise<Subject> {
  await db.query("create table bench_floor (id uuid primary key, payload jsonb not null)");
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  onCleanup(() => pool.end());
  const payload = JSON.stringify({ event: "x".repeat(1_000) });
  const insert = {
    name: "floor",
    text: "insert into bench_floor values (gen_random_uuid(), $1)",
    values: [payload],
  };
  return { name: LOOP, pids: [service.databasePid], run: (load) => timed(load, () => pool.query(insert)) };
}

async function timed(load: LoadSize, once: () => Promise<unknown>): Promise<LoadResult> {
  const started = performance.now();
  const until = started + (load.seconds ?? 1) * 1_000;
  const times: number[] = [];
  const loop = async () => {
    while (performance.now() < until) {
      const before = performance.now();
      await once();
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, loop));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  const seconds = (performance.now() - started) / 1_000;
  return { requests: times.length, seconds, p50: at(0.5), p99: at(0.99), failed: {} };
}

/** The time until a provider gets its response, with an increasing number of parallel deliveries. */
export async function benchConfirmations(stage: Stage): Promise<void> {
  const subjects = [await webhook(stage), await bareLoop(stage)];
  for (const connections of [1, 8, 32, 128]) {
    const load = { connections, seconds: stage.quick ? 0.5 : 2 };
    const runs = await interleave(subjects, load, stage.quick ? 2 : 4);
    printRuns(`confirmations, connections: ${connections}`, runs);
    const of = (name: string, value: (run: Measure) => number) => median((runs.get(name) ?? []).map(value));
    printTarget(
      "p99 of a response, in seconds",
      of(WEBHOOK, ({ p99 }) => p99 / 1_000),
      { most: 1 },
    );
    const floor = of(LOOP, ({ p50 }) => p50);
    console.log(
      `        p50 of a response / of the bare loop: ${(of(WEBHOOK, ({ p50 }) => p50) / floor).toFixed(2)}\n`,
    );
  }
}
