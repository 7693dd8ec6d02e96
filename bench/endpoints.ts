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
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";

const NEXT = "floor: empty Next handler";
const NODE = "floor: empty Node handler";
const NODE_SQL = "floor: bare Node, same SQL";
const NODE_NEW = "floor: bare Node, /referrer (new)";
const NODE_CONFIRMATION = "floor: bare Node, confirmation";
const SQL = "floor: the SQL alone";

async function serviceSubjects(
  stage: Stage,
  sample: SampleWorkspace,
  slugs: string[],
  rows: number,
  unconfirmed: Numbers,
): Promise<Subject[]> {
  const { db, loader, service } = stage;
  await addCodes(db, sample.app_id, sample.pools.referee_ios, rows * 5);
  await addCodes(db, sample.app_id, sample.pools.reward_ios, rows);
  await addOpenReferrals(db, sample.app_id, sample.campaign_id, slugs, 2 * rows);
  await addEarnedRewards(db, sample.app_id, sample.campaign_id, rows);
  await db.query("vacuum analyze");
  const prepared: Record<string, Numbers> = {
    "confirmation webhook": unconfirmed,
    "/referrer-claim": new Numbers(slugs, rows),
  };
  return Object.entries(templates(sample)).map(([name, template]) =>
    httpSubject(loader, name, {
      port: service.port,
      pids: [service.pid],
      template,
      numbers: prepared[name] ?? new Numbers(slugs),
    }),
  );
}

/** The floors. They share the service's database, so that their SQL reads the same rows in the same state. */
async function floorSubjects(
  stage: Stage,
  sample: SampleWorkspace,
  slugs: string[],
  unconfirmed: Numbers,
): Promise<Subject[]> {
  const { loader, service, url } = stage;
  const next = await startNextFloor();
  const connection = sample.providers.revenuecat.url.split("/").at(-1) ?? "";
  const args = [url, sample.app_id, sample.workspace_id, connection];
  const bare = await forkBench("floors/bare", args);
  const [{ port }] = (await once(bare, "message")) as [{ port: number }];
  const sql = await forkBench("floors/sql", args);
  const empty: Template = { method: "GET", path: "/empty" };
  const redeem = { referee_uid: "bare-{n}", metacode: "{slug}", platform: "ios" };
  const confirmation = templates(sample)["confirmation webhook"].body;
  const posted = (path: string, body: string): Template => ({
    method: "POST",
    path,
    body,
    headers: { "Content-Type": "application/json" },
  });
  const numbers = new Numbers(slugs);
  const of = (name: string, template: Template, at: number, pids: number[], used = new Numbers(slugs)) =>
    httpSubject(loader, name, { port: at, pids, template, numbers: used });
  const withDatabase = (pid: number | undefined) => [pid ?? 0, service.databasePid];
  return [
    of(NEXT, empty, next.port, [next.pid]),
    of(NODE, empty, port, [bare.pid ?? 0]),
    of(NODE_SQL, posted("/redeem", JSON.stringify(redeem)), port, withDatabase(bare.pid)),
    of(NODE_NEW, posted("/referrer", JSON.stringify({ uid: "bare-{n}" })), port, withDatabase(bare.pid)),
    of(NODE_CONFIRMATION, posted("/confirmation", confirmation), port, withDatabase(bare.pid), unconfirmed),
    {
      name: SQL,
      pids: withDatabase(sql.pid),
      run: (load) => numbers.use(load, (job) => requestJob<LoadResult>(sql, job)),
    },
  ];
}

function printRatios(runs: Map<string, Measure[]>, connections: number): void {
  const against = (name: string, floor: string, least: number) =>
    printTarget(`${name} / bare Node with the same SQL`, ratio(runs, name, floor), { least });
  against("/referee-redeem", NODE_SQL, connections === 1 ? 0.9 : 0.7);
  if (connections > 1) against("/referrer (new)", NODE_NEW, 0.8);
  if (connections === 32) against("confirmation webhook", NODE_CONFIRMATION, 0.8);
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
  const rows = quick ? 20_000 : 80_000;
  // The service and its floor share the referrals, and each confirms different ones.
  const unconfirmed = new Numbers(slugs, 2 * rows);
  const subjects = [
    ...(await serviceSubjects(stage, sample, slugs, rows, unconfirmed)),
    ...(await floorSubjects(stage, sample, slugs, unconfirmed)),
  ];
  // A cold floor flatters the service: the Next handler needs about 3,000 requests to reach its speed.
  for (const subject of subjects)
    await subject.run({ connections: 32, seconds: 5, requests: quick ? 3_000 : 8_000 });
  for (const connections of [1, 8, 32]) {
    const runs = await interleave(subjects, { connections, seconds: quick ? 0.5 : 1.5 }, quick ? 1 : 4);
    printRuns(`${connections} connection${connections === 1 ? "" : "s"}`, runs);
    printRatios(runs, connections);
  }
  await checkConfirmations(db);
}

/** Throws if an event confirmed no referral: such an event is answered 200 as well, but costs less. */
async function checkConfirmations(db: Stage["db"]): Promise<void> {
  const { rows } = await db.query(
    "select verdict, count(*) from provider_events where verdict <> 'confirmed' group by 1",
  );
  if (rows.length > 0) throw new Error(`Not every event confirmed a referral: ${JSON.stringify(rows)}`);
}
