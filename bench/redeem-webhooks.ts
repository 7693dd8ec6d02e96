import { once } from "node:events";
import { eq } from "drizzle-orm";
import { forkBench } from "@/bench/children";
import { onCleanup } from "@/bench/cleanup";
import { cpuOf } from "@/bench/cpu";
import { printTable, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers, type Subject } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { openDatabase } from "@/lib/platform/db/client";
import { installFunctions } from "@/lib/platform/db/functions";
import { apps } from "@/lib/platform/db/schema";
import { systemContext } from "@/lib/tenants/apps/app";
import { median } from "@/lib/testing/numbers";

/** The measured modes: no endpoint, an endpoint whose deliveries wait, and one whose deliveries are sent. */
const MODES = ["without an endpoint", "deliveries paused", "deliveries sent"] as const;
type Mode = (typeof MODES)[number];

interface Run {
  /** Redeems per second, until the last event has been delivered. */
  pace: number;
  /** CPU per redeem in microseconds, with the delivery of its event. */
  node: number;
  postgres: number;
  failed: number;
}

/** An endpoint for every event of the app, served by its own process. */
async function addReceiver({ url }: Stage, appId: string): Promise<void> {
  const receiver = await forkBench("load/receiver");
  const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
  const db = openDatabase({ url });
  onCleanup(() => db.close());
  const [app] = await db.orm.select().from(apps).where(eq(apps.id, appId));
  if (!app) throw new Error("The sample has no app");
  const { id } = await createEndpoint(systemContext(db, app), {
    url: "https://example.com",
    events: ["referral.code_assigned"],
  });
  await db.pool.query("update webhook_endpoints set url = $1 where id = $2", [
    `http://127.0.0.1:${port}/hook`,
    id,
  ]);
}

/** Enters a mode. Pauses deliveries by a function that takes none, so that only the cost of their rows is measured. */
async function enter({ db }: Stage, mode: Mode): Promise<void> {
  await db.query("truncate webhook_deliveries, webhook_attempts");
  await db.query("update webhook_endpoints set enabled = $1", [mode !== "without an endpoint"]);
  if (mode === "deliveries paused")
    await db.query(`do $do$ begin execute format(
      'create or replace function take_webhooks(%s) returns json language sql as $$ select ''[]''::json $$',
      pg_get_function_arguments('take_webhooks'::regproc)); end $do$`);
  else {
    await db.query("begin");
    await installFunctions(db);
    await db.query("commit");
  }
}

/** Uses the index of due deliveries, because a scan of the table would distort the measurement. */
const OPEN = `select exists (
  select from webhook_deliveries where status in ('pending', 'failed') order by wake_at) as waiting`;

async function allDelivered({ db }: Stage): Promise<void> {
  while ((await db.query(OPEN)).rows[0].waiting) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function expectNoneDelivered({ db }: Stage): Promise<void> {
  const { rows } = await db.query("select 1 from webhook_deliveries where status = 'delivered' limit 1");
  if (rows.length > 0) throw new Error("Deliveries are sent although they are paused");
}

async function run(stage: Stage, subject: Subject, mode: Mode, seconds: number): Promise<Run> {
  await enter(stage, mode);
  const before = cpuOf(subject.pids);
  const start = performance.now();
  const { requests, failed } = await subject.run({ connections: 8, seconds });
  if (mode === "deliveries sent") await allDelivered(stage);
  if (mode === "deliveries paused") await expectNoneDelivered(stage);
  const passed = (performance.now() - start) / 1_000;
  const after = cpuOf(subject.pids);
  return {
    pace: requests / passed,
    node: (after.node - before.node) / requests,
    postgres: (after.postgres - before.postgres) / requests,
    failed: Object.values(failed).reduce((sum, count) => sum + count, 0),
  };
}

/** Measures redeem with eight connections while its events are delivered, while they wait, and without an endpoint. */
export async function benchRedeemWebhooks(stage: Stage): Promise<void> {
  const { db, loader, service, url, quick } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "sent", 5_000);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 60_000 : 200_000);
  await db.query("update apps set referrer_daily_cap = null where id = $1", [sample.app_id]);
  await addReceiver(stage, sample.app_id);
  await db.query("vacuum analyze");
  const subject = httpSubject(loader, "redeem", {
    port: service.port,
    pids: [service.pid, service.databasePid],
    template: templates(sample)["/referee-redeem"],
    numbers: new Numbers(slugs),
  });
  const runs = new Map<Mode, Run[]>(MODES.map((mode) => [mode, []]));
  // The first thousands of requests and deliveries are slower, until their code is compiled.
  for (const mode of MODES) await run(stage, subject, mode, 3);
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const mode of MODES) runs.get(mode)?.push(await run(stage, subject, mode, quick ? 2 : 4));
  const of = (mode: Mode, name: keyof Run) =>
    median((runs.get(mode) ?? []).map((measured) => measured[name]));
  printTable(
    "redeem, 8 connections",
    ["a second", "Node us", "PostgreSQL us", "failed"],
    MODES.map((mode) => [
      mode,
      ...(["pace", "node", "postgres", "failed"] as const).map((name) => of(mode, name).toFixed(0)),
    ]),
  );
  const [none, paused, sent] = MODES;
  const pace = (mode: Mode) => of(mode, "pace") / of(none, "pace");
  printTarget("redeem while deliveries are paused / without an endpoint", pace(paused), { least: 0.9 });
  printTarget("redeem while every event is delivered / without", pace(sent), { least: 0.7 });
  const cost = (name: "node" | "postgres") => of(sent, name) - of(none, name);
  const [node, postgres] = [cost("node"), cost("postgres")].map((us) => us.toFixed(0));
  console.log(`        CPU of a delivered event: ${node} us of Node, ${postgres} us of PostgreSQL\n`);
}
