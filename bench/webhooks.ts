import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { uuidv7 } from "uuidv7";
import { onCleanup } from "@/bench/cleanup";
import { printTable } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { attemptDelivery } from "@/lib/outward/webhooks/deliver";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import type { WebhookMessage } from "@/lib/outward/webhooks/sign";
import { openDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { sendRequest } from "@/lib/platform/egress/send";
import { runQueue, wakeQueue } from "@/lib/platform/jobs/queue";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context } from "@/lib/tenants/context";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { emitExample } from "@/lib/testing/events";
import { median } from "@/lib/testing/numbers";

/** Verifies its requests and counts the distinct events. */
class Receiver {
  secret = "";
  private seen = new Set<string>();
  private latest = 0;
  private server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = request.headers as Record<string, string>;
    new Webhook(this.secret).verify(Buffer.concat(parts), headers);
    this.seen.add(headers["webhook-id"] ?? "");
    this.latest = performance.now();
    response.writeHead(204).end();
  });

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
  }

  reset(): void {
    this.seen = new Set();
  }

  /** Waits for `count` events and returns the time of the last. */
  async received(count: number): Promise<number> {
    while (this.seen.size < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return this.latest;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const allowed = ["127.0.0.0/8"];
const send: typeof sendRequest = (request) => sendRequest(request, { allowed });

/** A loop that signs and posts with sixteen parallel requests and stores nothing. */
async function floor(receiver: Receiver, url: string, count: number): Promise<number> {
  receiver.reset();
  const started = performance.now();
  let left = count;
  const post = async () => {
    while (left-- > 0) {
      const message: WebhookMessage = {
        event: uuidv7(),
        type: "referral.redeemed",
        payload: { referral_id: uuidv7() },
        created_at: new Date().toISOString(),
        secret: receiver.secret,
        former_secret: null,
      };
      await attemptDelivery({ ...message, url }, send);
    }
  };
  await Promise.all(Array.from({ length: 16 }, post));
  return count / (((await receiver.received(count)) - started) / 1_000);
}

/** Emits events and has one worker deliver them, from the transaction of the change to the receiver. */
async function delivered(ctx: Context, receiver: Receiver, count: number): Promise<number> {
  receiver.reset();
  const started = performance.now();
  let left = count;
  const emit = async () => {
    while (left-- > 0) await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
    wakeQueue("webhooks");
  };
  await Promise.all(Array.from({ length: 4 }, emit));
  return count / (((await receiver.received(count)) - started) / 1_000);
}

/** Milliseconds from the commit of a change until its event reaches the receiver, one at a time. */
async function latency(ctx: Context, receiver: Receiver, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    receiver.reset();
    await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
    const committed = performance.now();
    wakeQueue("webhooks");
    taken.push(Math.max(0, (await receiver.received(1)) - committed));
  }
  return taken.sort((a, b) => a - b);
}

async function createApp(stage: Stage): Promise<Context> {
  await stage.db.query("create database bench_webhooks");
  const url = new URL(stage.url);
  url.pathname = "/bench_webhooks";
  await migrate(url.href);
  const db = openDatabase({ url: url.href });
  onCleanup(() => db.close());
  const workspace = await insertWorkspace(db, { name: "Webhooks", plan: "enterprise" });
  const app = await insertApp(db, workspace.id, {
    name: "Webhooks",
    sandbox: true,
    appleAppId: "1234567890",
  });
  const schedule = { ...SCHEDULE, parallel: 16 };
  const senders = openDatabase({ url: url.href, size: 4 });
  onCleanup(() => senders.close());
  onCleanup(runQueue(webhookQueue(senders, { schedule, send })));
  return systemContext(db, app);
}

/** Measures deliveries per second against a bare loop that posts signed bodies, and the latency of one. */
export async function benchWebhooks(stage: Stage): Promise<void> {
  const count = stage.quick ? 1_000 : 10_000;
  const receiver = new Receiver();
  const url = await receiver.listen();
  onCleanup(() => receiver.stop());
  const ctx = await createApp(stage);
  ({ secret: receiver.secret } = await createEndpoint(ctx, {
    url: "https://example.com",
    events: ["referral.redeemed"],
  }));
  await ctx.db.orm.execute(`update webhook_endpoints set url = '${url}'`);
  const runs = { floor: [] as number[], delivered: [] as number[] };
  for (let round = 0; round < (stage.quick ? 1 : 3); round++) {
    runs.floor.push(await floor(receiver, url, count));
    runs.delivered.push(await delivered(ctx, receiver, count));
  }
  const taken = await latency(ctx, receiver, 100);
  const at = (part: number) => (taken[Math.floor(taken.length * part)] ?? 0).toFixed(1);
  printTable(
    "webhooks",
    ["per second", "p50 ms", "p99 ms"],
    [
      ["delivered, from the change on", median(runs.delivered).toFixed(0), at(0.5), at(0.99)],
      ["a loop that signs and posts", median(runs.floor).toFixed(0), "-", "-"],
    ],
  );
}
