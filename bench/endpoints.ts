import { once } from "node:events";
import { forkBench, requestJob } from "@/bench/children";
import { startNextFloor } from "@/bench/floors/next";
import type { LoadResult, Template } from "@/bench/load/job";
import { interleave, type Measure, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers, type Subject } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import {
  addCodes,
  addEarnedRewards,
  addOpenReferrals,
  addReferrers,
  createBenchTenant,
} from "@/bench/tenant";
import type { SampleWorkspace } from "@/lib/cli/demo/build";

const NEXT = "floor: empty Next handler";
const NODE = "floor: empty Node handler";
const NODE_SQL = "floor: bare Node, same SQL";
const SQL = "floor: the SQL alone";

async function serviceSubjects(
  stage: Stage,
  sample: SampleWorkspace,
  slugs: string[],
  rows: number,
): Promise<Subject[]> {
  const { db, loader, service } = stage;
  await addCodes(db, sample.app_id, sample.pools.referee_ios, rows * 5);
  await addCodes(db, sample.app_id, sample.pools.reward_ios, rows);
  await addOpenReferrals(db, sample.app_id, sample.campaign_id, slugs, rows);
  await addEarnedRewards(db, sample.app_id, sample.campaign_id, rows);
  await db.query("vacuum analyze");
  const prepared: Record<string, number> = { "confirmation webhook": rows, "/referrer-claim": rows };
  return Object.entries(templates(sample)).map(([name, template]) =>
    httpSubject(loader, name, {
      port: service.port,
      pids: [service.pid],
      template,
      numbers: new Numbers(slugs, prepared[name]),
    }),
  );
}

/** The floors share the service's database, so that their SQL reads the same rows in the same state. */
async function floorSubjects(stage: Stage, sample: SampleWorkspace, slugs: string[]): Promise<Subject[]> {
  const { loader, service, url } = stage;
  const next = await startNextFloor();
  const args = [url, sample.app_id, sample.workspace_id];
  const bare = await forkBench("floors/bare", args);
  const [{ port }] = (await once(bare, "message")) as [{ port: number }];
  const sql = await forkBench("floors/sql", args);
  const empty: Template = { method: "GET", path: "/empty" };
  const redeem: Template = {
    method: "POST",
    path: "/redeem",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ referee_uid: "bare-{n}", metacode: "{slug}", platform: "ios" }),
  };
  const numbers = new Numbers(slugs);
  const of = (name: string, template: Template, at: number, pids: number[]) =>
    httpSubject(loader, name, { port: at, pids, template, numbers: new Numbers(slugs) });
  const withDatabase = (pid: number | undefined) => [pid ?? 0, service.databasePid];
  return [
    of(NEXT, empty, next.port, [next.pid]),
    of(NODE, empty, port, [bare.pid ?? 0]),
    of(NODE_SQL, redeem, port, withDatabase(bare.pid)),
    {
      name: SQL,
      pids: withDatabase(sql.pid),
      run: (load) => numbers.use(load, (job) => requestJob<LoadResult>(sql, job)),
    },
  ];
}

function printRatios(runs: Map<string, Measure[]>): void {
  printTarget("redeem / bare Node with the same SQL", ratio(runs, "/referee-redeem", NODE_SQL), {
    least: 0.7,
  });
  printTarget("redeem / empty Next handler", ratio(runs, "/referee-redeem", NEXT), { least: 1.5 });
  printTarget("/referrer (existing) / empty Next handler", ratio(runs, "/referrer (existing)", NEXT), {
    least: 3,
  });
  const sql = ratio(runs, "/referee-redeem", SQL);
  console.log(`        redeem / the SQL alone: ${sql.toFixed(2)}\n`);
}

/** Measures every endpoint and the floors at 1, 8 and 32 connections, with one web process each. */
export async function benchEndpoints(stage: Stage): Promise<void> {
  const { quick, db, url } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "main", 5_000);
  const subjects = [
    ...(await serviceSubjects(stage, sample, slugs, quick ? 20_000 : 80_000)),
    ...(await floorSubjects(stage, sample, slugs)),
  ];
  // A cold floor flatters the service: the Next handler needs about 3,000 requests to reach its speed.
  for (const subject of subjects)
    await subject.run({ connections: 32, seconds: 5, requests: quick ? 3_000 : 8_000 });
  for (const connections of [1, 8, 32]) {
    const runs = await interleave(subjects, { connections, seconds: quick ? 0.5 : 1.5 }, quick ? 1 : 4);
    printRuns(`${connections} connection${connections === 1 ? "" : "s"}`, runs);
    printRatios(runs);
  }
  await checkConfirmations(db);
}

/** An event that matches no referral is answered 200 as well, and is less work. */
async function checkConfirmations(db: Stage["db"]): Promise<void> {
  const { rows } = await db.query(
    "select verdict, count(*) from provider_events where verdict <> 'confirmed' group by 1",
  );
  if (rows.length > 0) throw new Error(`Not every event confirmed a referral: ${JSON.stringify(rows)}`);
}
