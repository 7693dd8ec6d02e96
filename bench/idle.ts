import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { onCleanup } from "@/bench/cleanup";
import { cpuOf, parentOf } from "@/bench/cpu";
import { printTable, printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { createBenchTenant } from "@/bench/tenant";
import { runningPostgres } from "@/lib/platform/embedded-postgres/address";

/** Milliseconds until a start has settled: it renders pages, compiles code, runs every round once, and writes the apps. */
const SETTLE_MS = 120_000;

const APPS = [20, 20_000];

/** Creates an empty database on a server and returns its address. */
async function createDatabase(server: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const name = `bench_idle_${Date.now()}`;
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Two web processes on the server that `DATABASE_URL` names, else on an embedded server. */
async function startIdle(folder: string) {
  const settings = { AUTH_SECRET: "b".repeat(32), WEB_PROCESSES: "2" };
  const server = process.env.DATABASE_URL;
  if (server) {
    const url = await createDatabase(server);
    return { url, service: await startService(folder, { ...settings, DATABASE_URL: url }) };
  }
  const dataDir = join(folder, "idle");
  const service = await startService(folder, { ...settings, DATA_DIR: dataDir });
  const url = await runningPostgres(dataDir);
  if (!url) throw new Error("The embedded server does not run");
  return { url, service };
}

/**
 * Adds idle apps, each with a campaign on two platforms, four pools, and rounds in mid-course. Each pool has a code and is
 * never low, because an alert about an empty pool is work.
 */
async function addApps(db: pg.Client, workspace: string, count: number): Promise<void> {
  await db.query(
    `with added as (
       insert into apps (id, workspace_id, name, apple_app_id, android_package)
       select gen_random_uuid(), $1, 'Idle ' || n, '1234567890', 'com.example.idle'
         from generate_series(1, $2::int) n returning id),
     cursors as (
       insert into rollup_cursors (app_id, last_id, rolled_at)
       select id, '00000000-0000-0000-0000-000000000000', now() from added),
     activated as (
       insert into campaigns (app_id, id, type, name, status, activated_at)
       select id, gen_random_uuid(), 'referral', 'Idle', 'active', now() from added returning app_id, id),
     stocked as (
       insert into pools (app_id, id, platform, use, name, low_stock)
       select a.id, gen_random_uuid(), p.platform, u.use, p.platform || ' ' || u.use, 0
         from added a cross join (values ('ios'), ('android')) p (platform)
         cross join (values ('referee'), ('reward')) u (use) returning app_id, id, platform, use),
     ruled as (
       insert into campaign_platforms (app_id, campaign_id, platform, threshold, referee_pool_id, reward_pool_id)
       select a.app_id, a.id, r.platform, 3, r.id, w.id
         from activated a
         join stocked r on r.app_id = a.app_id and r.use = 'referee'
         join stocked w on w.app_id = a.app_id and w.platform = r.platform and w.use = 'reward'),
     filled as (
       insert into batches (app_id, id, pool_id, kind, state, size)
       select app_id, gen_random_uuid(), id, 'one_time', 'ready', 1 from stocked returning app_id, id, pool_id),
     coded as (
       insert into codes (app_id, id, batch_id, platform, code, slot)
       select b.app_id, gen_random_uuid(), b.id, s.platform, b.id::text, 0
         from filled b join stocked s on s.app_id = b.app_id and s.id = b.pool_id)
     insert into rounds (app_id, name, due_at, seen_at)
     select a.id, r.name, now() + random() * r.pause, now()
       from added a
       cross join (values ('figures', null), ('checks', interval '24 hours'), ('retention of an app', interval '24 hours'))
         r (name, pause)`,
    [workspace, count],
  );
}

/** Percent of a core that the idle service and its database use. */
async function idleCpu(roots: number[], seconds: number) {
  const before = cpuOf(roots);
  const start = performance.now();
  await pause(seconds * 1_000);
  const after = cpuOf(roots);
  const us = (performance.now() - start) * 1_000;
  const percent = (name: "node" | "postgres") => (100 * (after[name] - before[name])) / us;
  return { service: percent("node"), database: percent("postgres") };
}

/** Measures an idle installation of two web processes with few apps and with many. */
export async function benchIdle(stage: Stage): Promise<void> {
  await stage.service.stop();
  const { url, service } = await startIdle(stage.folder);
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  db.on("error", () => undefined);
  onCleanup(() => db.end());
  const { rows } = await db.query("select pg_backend_pid() as pid, version()");
  const roots = [service.pid, parentOf(rows[0].pid)];
  await createBenchTenant(url);
  const workspace = (await db.query("select id from workspaces limit 1")).rows[0].id;
  const lines: string[][] = [];
  let present = 0;
  for (const count of APPS) {
    await addApps(db, workspace, count - present);
    present = count;
    await db.query("vacuum analyze");
    await db.query("checkpoint");
    await pause(SETTLE_MS);
    const { service: node, database } = await idleCpu(roots, stage.quick ? 30 : 120);
    lines.push([`${count} apps`, ...[node, database, node + database].map((value) => value.toFixed(2))]);
  }
  printTable(
    `idle, ${String(rows[0].version).split(" ").slice(0, 2).join(" ")}, % of a core`,
    ["service", "PostgreSQL", "together"],
    lines,
  );
  printTarget(`${present} apps, % of a core`, Number(lines.at(-1)?.at(-1)), { most: 2 });
  await service.stop();
}
