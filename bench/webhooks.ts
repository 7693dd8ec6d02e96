import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { uuidv7 } from "uuidv7";
import { onEnd } from "@/bench/ending";
import { median } from "@/bench/measure";
import { printTable } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { createApp } from "@/lib/apps/create";
import { systemContext } from "@/lib/apps/system-context";
import type { Context } from "@/lib/context";
import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { startWorker } from "@/lib/jobs/worker";
import { sendOutside } from "@/lib/outside/send";
import { attempt } from "@/lib/webhooks/attempt";
import { createEndpoint } from "@/lib/webhooks/create";
import { SCHEDULE } from "@/lib/webhooks/schedule";
import type { Message } from "@/lib/webhooks/sign";
import { webhookTasks } from "@/lib/webhooks/tasks";
import { createWorkspace } from "@/lib/workspaces/create";

/** Verifies what it gets; says when it has had so many different events. */
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

  forget(): void {
    this.seen = new Set();
  }

  /** Resolves to the moment of the last of so many. */
  async had(count: number): Promise<number> {
    while (this.seen.size < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return this.latest;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const allowed = ["127.0.0.0/8"];
const send: typeof sendOutside = (request) => sendOutside(request, { allowed });

/** A loop that signs and posts, sixteen at once, and keeps nothing. */
async function floor(receiver: Receiver, url: string, count: number): Promise<number> {
  receiver.forget();
  const started = performance.now();
  let left = count;
  const post = async () => {
    while (left-- > 0) {
      const message: Message = {
        ...{ event: uuidv7(), type: "referral.redeemed", payload: { referral_id: uuidv7() } },
        ...{ created_at: new Date().toISOString(), secret: receiver.secret, former_secret: null },
      };
      await attempt({ ...message, url }, send);
    }
  };
  await Promise.all(Array.from({ length: 16 }, post));
  return count / (((await receiver.had(count)) - started) / 1_000);
}

/** From the transaction of the change to the receiver, by one worker. */
async function delivered(ctx: Context, receiver: Receiver, count: number): Promise<number> {
  receiver.forget();
  const started = performance.now();
  let left = count;
  const tell = async () => {
    while (left-- > 0)
      await ctx.db.call("emit", [ctx.app.id, "referral.redeemed", { referral_id: uuidv7() }]);
  };
  await Promise.all(Array.from({ length: 4 }, tell));
  return count / (((await receiver.had(count)) - started) / 1_000);
}

/** Milliseconds from the commit of a change to its event at the receiver, one at a time. */
async function latency(ctx: Context, receiver: Receiver, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    receiver.forget();
    await ctx.db.call("emit", [ctx.app.id, "referral.redeemed", { referral_id: uuidv7() }]);
    const committed = performance.now();
    taken.push(Math.max(0, (await receiver.had(1)) - committed));
  }
  return taken.sort((a, b) => a - b);
}

async function open(stage: Stage): Promise<Context> {
  await stage.db.query("create database bench_webhooks");
  const url = new URL(stage.url);
  url.pathname = "/bench_webhooks";
  await migrate(url.href);
  const db = openDatabase({ url: url.href });
  onEnd(() => db.close());
  const workspace = await createWorkspace(db, { name: "Webhooks", plan: "enterprise" });
  const app = await createApp(db, workspace.id, {
    name: "Webhooks",
    sandbox: true,
    appleAppId: "1234567890",
  });
  const schedule = { ...SCHEDULE, parallel: 16 };
  const tasks = webhookTasks({ schedule, send });
  onEnd(startWorker({ url: url.href, sessions: true, tasks }));
  return systemContext(db, app);
}

/** Deliveries per second, end to end, beside a bare loop that posts signed bodies; and how soon one arrives. */
export async function benchWebhooks(stage: Stage): Promise<void> {
  const count = stage.quick ? 1_000 : 10_000;
  const receiver = new Receiver();
  const url = await receiver.listen();
  onEnd(() => receiver.stop());
  const ctx = await open(stage);
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
