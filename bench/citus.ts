import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { onCleanup } from "@/bench/cleanup";
import type { LoadResult } from "@/bench/load/job";
import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import { type RunningService, startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers, type Subject } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addCodes, addOpenReferrals, addReferrers, createBenchTenant } from "@/bench/tenant";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { createOnCluster, nodesOf } from "@/lib/testing/database/cluster";
import { administer, databaseUrl, dropDatabase } from "@/lib/testing/database/template";

/** Rows of an app, more than its runs use. */
const ROWS = { quick: 20_000, full: 100_000 };

interface Installation {
  name: string;
  service: RunningService;
  url: string;
  db: pg.Client;
}

interface BenchApp {
  sample: SampleWorkspace;
  slugs: string[];
  /** The port of the server that has its rows; null without a cluster. */
  node: number | null;
}

/** A service on its own database, on one server of the cluster or on all. */
async function install(stage: Stage, name: string, nodes: string[], all: boolean): Promise<Installation> {
  const database = `metacode_bench_${name.toLowerCase().replace(/\W+/g, "_")}_${Date.now()}`;
  const [coordinator = ""] = nodes;
  onCleanup(() => dropDatabase({ nodes: all ? nodes : [coordinator] }, database));
  if (all) await createOnCluster(nodes, database);
  else await administer(coordinator, `CREATE DATABASE ${database}`);
  const url = databaseUrl(coordinator, database);
  const folder = join(stage.folder, database);
  await mkdir(folder);
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    WEB_PROCESSES: "1",
    SHARDING: all ? "citus" : "off",
  };
  const service = await startService(folder, settings);
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  onCleanup(() => db.end());
  return { name, service, url, db };
}

/** Makes calls run on the coordinator, which sends each statement of a function to the app's server. */
async function keepCallsOnCoordinator(db: pg.Client): Promise<void> {
  await db.query(
    "update pg_dist_object set distribution_argument_index = null, colocationid = null where classid = 'pg_proc'::regclass",
  );
}

const NODE_OF = `select nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
  where p.shardid = get_shard_id_for_distribution_column('apps', $1::uuid)`;

async function addApp({ db, url }: Installation, rows: number, clustered: boolean): Promise<BenchApp> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, `r${sample.app_id.slice(-6)}`, 2_000);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, rows);
  await addOpenReferrals(db, sample.app_id, sample.campaign_id, slugs, rows);
  const found = clustered ? (await db.query<{ port: number }>(NODE_OF, [sample.app_id])).rows : [];
  return { sample, slugs, node: found[0]?.port ?? null };
}

function subjectOf(stage: Stage, { name, service }: Installation, app: BenchApp, request: Request): Subject {
  const target = { port: service.port, pids: [service.pid], template: templates(app.sample)[request] };
  return httpSubject(stage.loader, name, { ...target, numbers: new Numbers(app.slugs) });
}

type Request = "/referee-redeem" | "/referrer (new)" | "/referrer (existing)" | "confirmation webhook";

/** Load on several subjects at once, an equal share of the connections on each. */
function together(name: string, parts: Subject[]): Subject {
  return {
    name,
    pids: parts.flatMap(({ pids }) => pids),
    run: async (load) => {
      const share = { ...load, connections: Math.max(1, load.connections / parts.length) };
      const results = await Promise.all(parts.map((part) => part.run(share)));
      const most = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
      return {
        requests: results.reduce((sum, { requests }) => sum + requests, 0),
        seconds: most(({ seconds }) => seconds),
        p50: most(({ p50 }) => p50),
        p99: most(({ p99 }) => p99),
        failed: Object.assign({}, ...results.map(({ failed }) => failed)),
      };
    },
  };
}

const ONE = "one PostgreSQL";
const APART = "cluster, calls on the coordinator";
const CLUSTER = "cluster";

/** The cost of a cluster for one app, and its gain where apps are on different servers. Needs `CITUS_URL`. */
export async function benchCitus(stage: Stage): Promise<void> {
  const coordinator = process.env.CITUS_URL;
  if (!coordinator) return console.log("citus: not measured, because CITUS_URL names no cluster\n");
  const nodes = await nodesOf(coordinator);
  const rows = stage.quick ? ROWS.quick : ROWS.full;
  const installations = [
    await install(stage, ONE, nodes, false),
    await install(stage, APART, nodes, true),
    await install(stage, CLUSTER, nodes, true),
  ];
  const [, apart, cluster] = installations;
  if (!apart || !cluster) throw new Error("three installations are measured");
  const apps = new Map<string, BenchApp>();
  for (const each of installations) apps.set(each.name, await addApp(each, rows, each.name !== ONE));
  await keepCallsOnCoordinator(apart.db);
  for (const { db } of installations) await db.query("analyze");

  const requests: Request[] = [
    "/referee-redeem",
    "/referrer (existing)",
    "/referrer (new)",
    "confirmation webhook",
  ];
  for (const request of requests) {
    const subjects = installations.map((each) => {
      const app = apps.get(each.name);
      if (!app) throw new Error("an installation has no app");
      return subjectOf(stage, each, app, request);
    });
    for (const connections of request === "/referee-redeem" ? [1, 8, 32] : [8]) {
      const load = { connections, seconds: stage.quick ? 1 : 3 };
      const runs = await interleave(subjects, load, stage.quick ? 1 : 4);
      printRuns(`${request}, connections: ${connections}`, runs);
      console.log(`        cluster / one PostgreSQL: ${ratio(runs, CLUSTER, ONE).toFixed(2)}`);
      if (request !== "/referee-redeem") continue;
      printTarget("redeem on the app's server / on the coordinator", ratio(runs, CLUSTER, APART), {
        least: 5,
      });
    }
  }
  await benchServers(stage, cluster, rows);
}

/** Redeems of two apps on one server, and of two on different ones. */
async function benchServers(stage: Stage, cluster: Installation, rows: number): Promise<void> {
  const first = await addApp(cluster, rows, true);
  let [same, other]: BenchApp[] = [];
  while (!same || !other) {
    const next = await addApp(cluster, rows, true);
    if (next.node === first.node) same ??= next;
    else other ??= next;
  }
  await cluster.db.query("analyze");
  const redeem = (app: BenchApp) => subjectOf(stage, cluster, app, "/referee-redeem");
  // A referee redeems once, so both subjects continue the first app's numbers.
  const redeemFirst = redeem(first);
  const onOne = together("two apps on one server", [redeemFirst, redeem(same)]);
  const onTwo = together("two apps on two servers", [redeemFirst, redeem(other)]);
  const runs = await interleave(
    [onOne, onTwo],
    { connections: 32, seconds: stage.quick ? 1 : 3 },
    stage.quick ? 1 : 4,
  );
  printRuns("redeems, connections: 32", runs);
  printTarget("two servers / twice one server", ratio(runs, onTwo.name, onOne.name) / 2, { least: 0.8 });
}
