import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import type { TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { sendTestWebhook } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { type Db, database } from "@/lib/platform/db/client";
import { webhookDeliveries } from "@/lib/platform/db/schema";
import { runQueue, wakeQueue } from "@/lib/platform/jobs/queue";
import { generateWebhookSecret } from "@/lib/platform/secrets/random-token";
import type { Context } from "@/lib/tenants/context";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const emit = ({ app, db }: Context) =>
  emitExample(db, app.id, "referral.redeemed", { referral_id: uuidv7() });

const ANSWER = { status: 204, headers: {}, body: "", ms: 1 };

test.each([
  ["answered fast until now", 1],
  ["answer slowly", 5_000],
])(
  "a test event is sent while endpoints that %s have all requests of its endpoint, app and process under way",
  async (_, ms) => {
    await database().orm.delete(webhookDeliveries);
    const apps = await Promise.all(Array.from({ length: 5 }, async () => (await makeTenant()).ctx));
    const [ctx] = apps;
    if (!ctx) throw new Error("No app was made.");
    const [id] = await Promise.all(apps.map(async (app) => (await makeReceiver(app)).id));
    for (const app of apps) for (let index = 1; index < 8; index++) await makeReceiver(app);
    const emitAll = () => Promise.all(apps.map(emit));
    let answer: () => void = () => undefined;
    let answered = Promise.resolve();
    let sent = 0;
    const queue = webhookQueue(database(), {
      send: async ({ body }) => {
        if (body.includes("webhook.test")) return ANSWER;
        sent += 1;
        await answered;
        return { ...ANSWER, ms };
      },
    });
    const stop = runQueue(queue);
    await emitAll();
    wakeQueue("webhooks");
    const delivered = () =>
      database().orm.$count(webhookDeliveries, eq(webhookDeliveries.status, "delivered"));
    await expect.poll(delivered).toBe(40);
    answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    sent = 0;
    for (let index = 0; index < SCHEDULE.parallel; index++) await emitAll();
    wakeQueue("webhooks");
    await expect.poll(() => sent).toBe(ms > 1_000 ? 128 : 256);
    await sendTestWebhook(ctx, id ?? "");
    wakeQueue("webhooks");
    const testOf = async () =>
      (await deliveriesOf(ctx)).find(({ eventType }) => eventType === "webhook.test");
    await expect.poll(async () => (await testOf())?.status).toBe("delivered");
    expect(await delivered()).toBe(41);
    await database().orm.delete(webhookDeliveries);
    answer();
    await stop();
  },
);

test("an endpoint stays a slow one until it has answered fast as often as it has requests at once", async () => {
  await database().orm.delete(webhookDeliveries);
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  const times: number[] = [];
  const queue = webhookQueue(database(), { send: async () => ({ ...ANSWER, ms: times.shift() ?? 1 }) });
  const few = 2 * SCHEDULE.parallel;
  for (let index = 0; index < 100; index++) await emit(ctx);
  times.push(5_000, ...Array(SCHEDULE.parallel - 1).fill(1), 5_000);
  expect(await workOff(queue, 1)).toBe(1);
  expect(await workOff(queue, SCHEDULE.parallel - 1)).toBe(SCHEDULE.parallel - 1);
  expect(await workOff(queue, 1)).toBe(1);
  expect(await workOff(queue, SCHEDULE.parallel - 1)).toBe(SCHEDULE.parallel - 1);
  expect(await workOff(queue, 60)).toBe(few);
  expect(await workOff(queue, 60)).toBe(60);
  expect(await database().orm.$count(webhookDeliveries, sql`status <> 'delivered'`)).toBe(100 - few * 2 - 60);
});

test("a process remembers the thousand endpoints that were slow last, however many there are", async () => {
  const calls: unknown[] = [];
  const db = Object.assign(Object.create(database()), {
    call: async (_: unknown, input: { slow?: string[]; results?: unknown[] }) => {
      calls.push(input.slow);
      return (input.results ?? []).map(() => ({ status: "stale" }));
    },
  }) as Db;
  const schedule = { ...SCHEDULE, patience: 600 };
  const queue = webhookQueue(db, { schedule, send: async () => ({ ...ANSWER, ms: 5_000 }) });
  const of = (n: number): TakenDelivery => ({
    state: "taken",
    app: uuidv7(),
    endpoint: `endpoint ${n}`,
    id: uuidv7(),
    takes: 1,
    url: "https://a.example",
    event: uuidv7(),
    type: "referral.redeemed",
    payload: {},
    created_at: new Date().toISOString(),
    secret: generateWebhookSecret(),
    former_secret: null,
  });
  await Promise.all(Array.from({ length: 1_010 }, (_, n) => queue.work(of(n))));
  await queue.take(1);
  const slow = calls.at(-1);
  expect(slow).toHaveLength(1_000);
  expect(slow).toEqual(expect.arrayContaining(["endpoint 10", "endpoint 1009"]));
});
