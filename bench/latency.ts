import { interleave, type Measure } from "@/bench/measure";
import { printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, type LoadSize, Numbers, type Subject } from "@/bench/subjects";
import { redeemTemplate } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";
import { formatNumber } from "@/lib/contract/format";
import { median } from "@/lib/testing/numbers";

const SMALL = "small pool";
const LARGE = "large pool";
const USED = "large pool, 98% used";

/** Assigns most of a batch by an update like redeem's, so that the index has the same dead entries. */
async function useUp(stage: Stage, app: string, batch: string): Promise<void> {
  await stage.db.query(
    `update codes set status = 'assigned', redeemed_by_uid = 'gone', assignment_id = uuidv7(), assigned_at = now()
      where app_id = $1 and batch_id = $2 and slot > 42949672`,
    [app, batch],
  );
}

async function poolSubject(
  stage: Stage,
  name: string,
  prefix: string,
  size: number,
  used = false,
): Promise<Subject> {
  const { db, loader, service, url } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, prefix, 500);
  const batch = await addCodes(db, sample.app_id, sample.pools.referee_ios, size);
  if (used) await useUp(stage, sample.app_id, batch);
  return httpSubject(loader, name, {
    port: service.port,
    pids: [service.pid],
    template: redeemTemplate(sample.api_key, prefix),
    numbers: new Numbers(slugs),
  });
}

/** Interleaved runs. Throws when a redeem failed: an empty pool would respond faster. */
async function answered(
  subjects: Subject[],
  load: LoadSize,
  rounds: number,
): Promise<Map<string, Measure[]>> {
  const runs = await interleave(subjects, load, rounds);
  for (const [name, all] of runs) {
    if (all.some(({ failed }) => failed > 0)) throw new Error(`Redeem failed while measuring: ${name}`);
  }
  return runs;
}

const p50 = (runs: Measure[] = []) => median(runs.map((run) => run.p50));

async function comparePools(stage: Stage, subjects: Subject[], connections: number): Promise<void> {
  const runs = await answered(
    subjects,
    { connections, requests: stage.quick ? 80 : 150 },
    stage.quick ? 8 : 16,
  );
  const rows = [...runs].map(([name, all]) => [
    name,
    p50(all).toFixed(2),
    median(all.map((run) => run.p99)).toFixed(2),
  ]);
  printTable(`redeem, connections: ${connections}`, ["p50 ms", "p99 ms"], rows);
  // Compared round by round: adjacent runs share the state of the machine.
  const against = (subject: string, other: string) =>
    median((runs.get(subject) ?? []).map((run, round) => run.p50 / (runs.get(other)?.[round]?.p50 ?? 0)));
  printTarget("p50 of the large pool / the small one", against(LARGE, SMALL), { most: 1.15 });
  printTarget("p50 with 98% used / with none", against(USED, LARGE), { most: 1.15 });
  console.log();
}

/** Dead entries accumulate while the snapshot is held, so only the last rounds count. */
async function holdSnapshot(stage: Stage, subject: Subject): Promise<void> {
  const load = { connections: 8, requests: stage.quick ? 200 : 500 };
  const some = stage.quick ? 4 : 8;
  const plain = async () => (await answered([subject], load, some)).get(subject.name) ?? [];
  const before = await plain();
  await stage.db.query("begin isolation level repeatable read");
  await stage.db.query("select 1 from codes limit 1");
  const held = (await answered([subject], load, some * 4)).get(subject.name) ?? [];
  await stage.db.query("commit");
  const after = await plain();
  const without = p50([...before, ...after]);
  const end = held.slice(-some);
  printTable(
    "redeem, connections: 8",
    ["p50 ms"],
    [
      ["no snapshot held", without.toFixed(2)],
      [`snapshot held, after ${held.length * load.requests} redemptions`, p50(end).toFixed(2)],
    ],
  );
  printTarget("p50 under a held snapshot / without", p50(end) / without, { most: 1.15 });
  console.log();
}

/** Measures redeem from a large pool, from a nearly empty one, and while another session holds a snapshot. */
export async function benchLatency(stage: Stage): Promise<void> {
  const large = stage.quick ? 100_000 : 1_000_000;
  console.log(`Pools of 10,000 and ${formatNumber(large)} codes`);
  const subjects = [
    await poolSubject(stage, SMALL, "small", 10_000),
    await poolSubject(stage, LARGE, "large", large),
    await poolSubject(stage, USED, "used", large, true),
  ];
  await stage.db.query("vacuum analyze");
  await stage.db.query("checkpoint");
  await interleave(subjects, { connections: 8, requests: 150 }, 2);
  for (const connections of [1, 8]) await comparePools(stage, subjects, connections);
  const [, subject] = subjects;
  if (subject) await holdSnapshot(stage, subject);
}
