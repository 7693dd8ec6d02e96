import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onCleanup } from "@/bench/cleanup";
import { openDatabase } from "@/lib/platform/db/client";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { completeEnv } from "@/lib/platform/env";
import { contextOfApp } from "@/lib/testing/app-context";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";
import { THRESHOLD } from "../chaos/load";
import { listenToEvents } from "../chaos/stage";
import { TestedService } from "../crash/service";
import { metacodeUrl, PostgresPair } from "./postgres";
import { answersOk, DrillProgram, makeFolder, until, writeConfig } from "./program";
import { RedisGroup } from "./redis";
import { renderHaproxy } from "./render";

const SECRET = "d".repeat(32);

/** Longer than two checks of HAProxy, which come every two seconds. */
const DRAIN_DELAY_MS = 5_000;

/** High enough for the load, whose clients share one address. */
const LIMITS = {
  KEY_BURST_PER_SECOND: "1000000",
  KEY_BURST_SIZE: "1000000",
  IP_REQUESTS_PER_MINUTE: "1000000",
  PAGES_PER_MINUTE: "1000000",
};

interface Places {
  folder: string;
  /** PostgreSQL's programs. */
  programs: string;
  /** The release that both instances start with. */
  release: string;
  codes: number;
  say: (line: string) => void;
}

/** Everything that a drill runs on. */
export type DrillStage = Awaited<ReturnType<typeof openDrillStage>>;

/** Starts two instances behind HAProxy, with PostgreSQL under Patroni and Redis under Sentinel. */
export async function openDrillStage({ folder, programs, release, codes, say }: Places) {
  say("Starting Redis and Sentinel ...");
  const redis = await RedisGroup.start(folder);
  say("Starting etcd, and two PostgreSQL nodes with Patroni and PgBouncer ...");
  const pair = await PostgresPair.start(folder, programs);
  const [front, database] = [await freePort(), await freePort()];
  const proxy = await startTcpProxy(metacodeUrl(database));
  onCleanup(async () => proxy.stop());
  const base = `http://127.0.0.1:${front}`;
  const env = {
    ...LIMITS,
    APP_URL: base,
    AUTH_SECRET: SECRET,
    DATABASE_URL: metacodeUrl(proxy.port),
    DATABASE_POOLER: "transaction",
    REDIS_URL: "redis://metacode",
    REDIS_SENTINELS: redis.sentinels.map((port) => `127.0.0.1:${port}`).join(","),
    TRUSTED_PROXIES: "1",
    DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
    OUTBOUND_ALLOW: "127.0.0.0/8",
    LOG_LEVEL: "warn",
  };
  const program = join(release, "server.js");
  const instances = await Promise.all([0, 1].map(() => TestedService.make(1, env, program)));
  const [first, second] = instances;
  if (!first || !second) throw new Error("the drill needs two instances");
  for (const instance of instances) onCleanup(() => instance.remove());
  const place = makeFolder(join(folder, "haproxy"));
  const text = renderHaproxy(readFileSync("deploy/haproxy.cfg", "utf8"), {
    front,
    database,
    instances: [first.port, second.port],
    nodes: [pair.nodes[0].ports, pair.nodes[1].ports],
  });
  const haproxy = new DrillProgram("haproxy", place, "haproxy", [
    "-f",
    writeConfig(join(place, "haproxy.cfg"), text),
  ]);
  haproxy.start();
  onCleanup(() => haproxy.kill());
  const url = metacodeUrl(database);
  await until("HAProxy leads to the primary", () => canQuery(url));
  say("Starting two instances behind HAProxy ...");
  for (const instance of instances) instance.launch();
  for (const instance of instances) await ready(instance);
  await until("HAProxy leads to the instances", () => answersOk(`${base}/api/ready`));
  // Settings by which the verbs and checks in this process find their database.
  completeEnv({ ...env, DATABASE_URL: url, LOG_LEVEL: "silent" });
  const sample = await first.sample(codes, THRESHOLD);
  const db = openDatabase({ url, size: 4, sessions: false });
  onCleanup(() => db.close());
  const ctx = await contextOfApp(db, sample.workspace_id, sample.app_id);
  const { receiver } = await listenToEvents(ctx);
  return { pair, redis, proxy, base, front, first, second, db, ctx, sample, receiver, databaseUrl: url };
}

async function canQuery(url: string): Promise<boolean> {
  const db = openDatabase({ url, size: 1, sessions: false });
  try {
    return (await db.pool.query("select 1")).rows.length === 1;
  } finally {
    await db.close();
  }
}

/** Waits until an instance takes requests; throws when it has ended. */
export async function ready(instance: TestedService): Promise<void> {
  await until(
    "the instance is ready",
    () => {
      instance.assertRunning();
      return answersOk(`http://127.0.0.1:${instance.port}/api/ready`);
    },
    120,
  );
}
