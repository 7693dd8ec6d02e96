import { join } from "node:path";
import { forkBench } from "@/bench/children";
import { onCleanup } from "@/bench/cleanup";
import { WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { createChannel } from "@/lib/outward/problems/channels";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { openDatabase } from "@/lib/platform/db/client";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { supervisePostgres } from "@/lib/platform/embedded-postgres/supervise";
import { completeEnv } from "@/lib/platform/env";
import type { Context } from "@/lib/tenants/context";
import { contextOfApp } from "@/lib/testing/app-context";
import { bundleForChild } from "@/lib/testing/processes/child";
import { startSmtp } from "@/lib/testing/smtp";
import { startTcpProxy } from "@/lib/testing/tcp-proxy";
import { TestedService } from "../crash/service";
import { moveClocks } from "./clock";
import { openDisk } from "./disk";
import { THRESHOLD } from "./load";
import { startChaosReceiver } from "./receiver";

/** Everything that a run needs. */
export type ChaosStage = Awaited<ReturnType<typeof openStage>>;

const SECRET = "c".repeat(32);

/** High enough for the load, whose clients share one address. */
const LIMITS = {
  KEY_BURST_PER_SECOND: "1000000",
  KEY_BURST_SIZE: "1000000",
  IP_REQUESTS_PER_MINUTE: "1000000",
  PAGES_PER_MINUTE: "1000000",
};

/** A PostgreSQL on its own disk, and a proxy in front of it. */
async function openDatabaseServer(log: (line: string) => void) {
  const disk = await openDisk();
  onCleanup(disk.remove);
  const dataDir = join(disk.folder, "postgres");
  const postgres = await supervisePostgres({ dataDir, log });
  onCleanup(postgres.stop);
  const proxy = await startTcpProxy(postgres.url);
  onCleanup(async () => proxy.stop());
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  return { disk, dataDir, cluster: clusterFolder(dataDir), postgres, proxy, proxied: url.href };
}

/**
 * Starts the built service with two web processes and the pages process on that database, with a mail server, a receiver of
 * webhooks and alerts, and an app of `codes` codes in each pool.
 */
export async function openStage(codes: number, log: (line: string) => void) {
  const server = await openDatabaseServer(log);
  // Settings by which the verbs and helpers in this process find their database.
  completeEnv({
    DATABASE_URL: server.postgres.url,
    AUTH_SECRET: SECRET,
    OUTBOUND_ALLOW: "127.0.0.0/8",
    LOG_LEVEL: "silent",
  });
  const smtp = await startSmtp();
  onCleanup(smtp.stop);
  const clock = join(server.disk.folder, "clock");
  moveClocks(clock, 0);
  const preload = await bundleForChild("e2e/chaos/clock.ts");
  const env = {
    ...LIMITS,
    DATABASE_URL: server.proxied,
    DATA_DIR: join(server.disk.folder, "service"),
    AUTH_SECRET: SECRET,
    SMTP_URL: smtp.url,
    MAIL_FROM: "chaos@metacode.example",
    OUTBOUND_ALLOW: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    CHAOS_CLOCK: clock,
    NODE_OPTIONS: `--import=${preload}`,
  };
  const service = await TestedService.make(2, env);
  onCleanup(() => service.remove());
  service.launch();
  await service.ready();
  const sample = await service.sample(codes, THRESHOLD);
  const db = openDatabase({ url: server.postgres.url, size: 4 });
  onCleanup(() => db.close());
  const ctx = await contextOfApp(db, sample.workspace_id, sample.app_id);
  return {
    ...server,
    ...(await listenToEvents(ctx)),
    databaseUrl: server.postgres.url,
    smtp,
    clock,
    env,
    service,
    sample,
    db,
    ctx,
    flooder: await forkBench("load/flood"),
  };
}

/** An endpoint for every event and a channel for alerts, both at one receiver. */
export async function listenToEvents(ctx: Context) {
  let secret = "";
  const receiver = await startChaosReceiver(() => secret);
  onCleanup(receiver.stop);
  ({ secret } = await createEndpoint(ctx, { url: `${receiver.url}/hook`, events: [...WEBHOOK_EVENT_NAMES] }));
  const target = `${receiver.url}/alerts`;
  const channel = await createChannel(ctx, { type: "slack", name: "chaos", target, kinds: ["quota"] });
  return { receiver, channel: channel.id };
}
