import { type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSender } from "@/lib/outward/webhooks/deliver";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { webhookAttempts, webhookDeliveries } from "@/lib/platform/db/schema";
import type { EgressResponse } from "@/lib/platform/egress/send";
import type { Context } from "@/lib/tenants/context";
import { emitExample } from "@/lib/testing/events";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, endpointRow, leaseDelivery, makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

let file: string;
beforeAll(async () => {
  file = await bundleForChild("lib/testing/webhooks/sender-process.ts");
});

/** A poll takes the due deliveries of all apps. */
beforeEach(async () => {
  await database().orm.delete(webhookDeliveries);
});

const PATIENCE = { timeout: 60_000, interval: 50 };

/** A busy machine may take long for a batch. */
const PATIENT = { ...SCHEDULE, patience: 3_600 };

const OK: EgressResponse = { status: 204, headers: {}, body: "", ms: 1 };

async function emit({ app, db }: Context, count: number, referral_id?: string): Promise<void> {
  for (let index = 0; index < count; index++)
    await emitExample(db, app.id, "referral.redeemed", { referral_id: referral_id ?? uuidv7() });
}

const statusesOf = async (ctx: Context) => {
  const counts: Record<string, number> = {};
  for (const { status } of await deliveriesOf(ctx)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test("a batch of a process that is killed half-way: nothing is lost, and only requests without a response repeat", async () => {
  const { ctx } = await makeTenant();
  let answered = 20;
  const receiver = await makeReceiver(ctx, {
    answer: (_, index) => (index < answered ? 204 : undefined),
  });
  await emit(ctx, 60);
  const start = () => {
    const child = startChild(file, [process.env.DATABASE_URL ?? "", "1", String(SCHEDULE.lease)], {
      env: process.env,
    });
    onTestFinished(() => child.kill());
    return child;
  };
  const killed = start();
  // Twenty results are stored, eight requests wait for their responses, and the rest of the batch for its turn.
  await vi.waitFor(async () => {
    expect(await statusesOf(ctx)).toMatchObject({ delivered: 20 });
    expect(receiver.got).toHaveLength(28);
    expect((await deliveriesOf(ctx)).filter(({ leasedUntil }) => leasedUntil)).toHaveLength(40);
  }, PATIENCE);
  await killed.kill();
  answered = Number.POSITIVE_INFINITY;
  start();
  await vi.waitFor(async () => expect(await statusesOf(ctx)).toEqual({ delivered: 60 }), PATIENCE);
  const ids = receiver.got.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(60);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  expect(repeated.sort()).toEqual(ids.slice(20, 28).sort());
});

test("a slow endpoint has a few requests on their way, and does not hold up the others of its batch", async () => {
  const { ctx } = await makeTenant();
  const [slow, quick] = [await makeReceiver(ctx), await makeReceiver(ctx)];
  await emit(ctx, 20);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const sent: string[] = [];
  const queue = webhookQueue(ctx.db, {
    schedule: { ...PATIENT, parallel: 2 },
    send: async ({ url }) => {
      sent.push(url);
      if (url.startsWith(slow.url)) await answered;
      return OK;
    },
  });
  const working = Promise.all((await queue.take(100)).map((taken) => queue.work(taken)));
  await vi.waitFor(
    async () => expect(await statusesOf(ctx)).toEqual({ delivered: 20, pending: 20 }),
    PATIENCE,
  );
  expect(sent.filter((url) => url.startsWith(quick.url))).toHaveLength(20);
  expect(sent.filter((url) => url.startsWith(slow.url))).toHaveLength(2);
  answer();
  await working;
  expect(await statusesOf(ctx)).toEqual({ delivered: 40 });
});

test("one process at a time holds deliveries of an endpoint, so its requests stay limited; another follows it at once", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  await emit(ctx, 3);
  const [first, second] = [webhookQueue(ctx.db), webhookQueue(ctx.db)];
  const taken = await first.take(2);
  expect(taken).toHaveLength(2);
  expect(await second.take(10)).toEqual([]);
  await Promise.all(taken.map((delivery) => first.work(delivery)));
  expect(await workOff(second)).toBe(1);
});

test("a batch holds the first delivery of each order key, and the end of that one releases the next", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  const referral = uuidv7();
  await emit(ctx, 3, referral);
  await emit(ctx, 3);
  const queue = webhookQueue(ctx.db, { schedule: PATIENT });
  expect(await workOff(queue, 100)).toBe(4);
  expect(await workOff(queue, 100)).toBe(1);
  expect(await workOff(queue, 100)).toBe(1);
  const places = (await deliveriesOf(ctx)).filter(({ orderKey }) => orderKey === referral);
  const order = receiver.accepted.filter(({ data }) => data.referral_id === referral).map(({ id }) => id);
  expect(order).toEqual(places.sort((a, b) => a.place - b.place).map(({ eventId }) => eventId));
});

test("a request that fails is stored as failed, and the others of its batch as delivered", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: (_, index) => (index === 5 ? 500 : 204) });
  await emit(ctx, 30);
  await workOff(webhookQueue(ctx.db, { schedule: PATIENT }), 100);
  expect(await statusesOf(ctx)).toEqual({ delivered: 29, failed: 1 });
  expect(receiver.got).toHaveLength(30);
  const attempts = await database().orm.select().from(webhookAttempts);
  expect(attempts.filter(({ appId }) => appId === ctx.app.id)).toHaveLength(30);
});

test("a result that cannot be stored keeps no other result of its batch from being stored", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  await emit(ctx, 10);
  let requests = 0;
  const queue = webhookQueue(ctx.db, {
    schedule: PATIENT,
    // PostgreSQL has no NUL in its texts.
    send: async () => ({ ...OK, headers: { server: requests++ === 4 ? "\0" : "" } }),
  });
  const taken = await queue.take(100);
  for (const delivery of taken) void queue.work(delivery).catch(() => undefined);
  await vi.waitFor(async () => expect(await statusesOf(ctx)).toEqual({ delivered: 9, pending: 1 }), PATIENCE);
  await ctx.db.orm.delete(webhookDeliveries);
});

test("two results of one delivery are stored with the others of their batch, and count as one attempt", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  await emit(ctx, 3);
  const sender = createSender(ctx.db, { send: async () => OK });
  const results = await Promise.all((await webhookQueue(ctx.db).take(10)).map(sender.attempt));
  const again = results
    .slice(0, 1)
    .map((result) => ({ ...result, attempt: { ...result.attempt, status: 200 } }));
  const stored = await Promise.all([...results, ...results.slice(0, 1), ...again].map(sender.store));
  expect(stored.map(({ status }) => status)).toEqual(Array(5).fill("delivered"));
  const attempts = await database().orm.select().from(webhookAttempts);
  expect(attempts.filter(({ appId }) => appId === ctx.app.id)).toHaveLength(3);
});

test("the rest of a batch is not sent to an endpoint that was slowed meanwhile, and uses up no attempts", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  await emit(ctx, 40);
  await workOff(webhookQueue(ctx.db, { schedule: PATIENT }), 100);
  expect((await endpointRow(ctx, receiver.id)).slowedUntil).toBeInstanceOf(Date);
  expect(receiver.got.length).toBeLessThan(20);
  const rest = (await deliveriesOf(ctx)).filter(({ attempts }) => attempts === 0);
  expect(rest).toHaveLength(40 - receiver.got.length);
  for (const { leasedUntil } of rest) expect(leasedUntil).toBeNull();
});

test("a delivery that has waited long behind others is taken again, with the endpoint's address of that time", async () => {
  const { ctx } = await makeTenant();
  const { id } = await makeReceiver(ctx);
  await emit(ctx, 3);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const sent: string[] = [];
  const patience = 0.3;
  const queue = webhookQueue(ctx.db, {
    schedule: { ...SCHEDULE, parallel: 1, patience },
    send: async ({ url }) => {
      sent.push(url);
      await answered;
      return OK;
    },
  });
  const deliveries = await queue.take(100);
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const working = Promise.all(deliveries.map((taken) => queue.work(taken)));
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE);
  await ctx.db.orm.execute(
    sql`update webhook_endpoints set url = 'https://moved.example.com' where id = ${id}`,
  );
  clock.mockReturnValue(performance.now() + 2_000 * patience);
  answer();
  await working;
  clock.mockRestore();
  expect(sent).toHaveLength(1);
  await workOff(queue);
  expect(sent.slice(1)).toContain("https://moved.example.com");
  expect(new Set(sent.slice(1)).size).toBe(1);
});

test("leases and the outcomes of successes are committed without waiting for the disk, failures are not", async () => {
  const { ctx } = await makeTenant();
  const rules = JSON.stringify(SCHEDULE);
  const settingAfter = (call: SQL) =>
    ctx.db.transaction(async (tx) => {
      await tx.orm.execute(sql`select set_config('synchronous_commit', 'on', true)`);
      await tx.orm.execute(call);
      const { rows } = await tx.orm.execute(sql`select current_setting('synchronous_commit') as setting`);
      return rows[0]?.setting;
    });
  expect(await settingAfter(sql`select take_webhooks(1, '{}', '{}', ${rules})`)).toBe("off");
  expect(await settingAfter(sql`select finish_webhooks('[]')`)).toBe("off");
  await makeReceiver(ctx);
  await emit(ctx, 1);
  const [delivery] = await deliveriesOf(ctx);
  const attempt = JSON.stringify({ status: 500, ms: 1, request_headers: {}, error: "Returned 500" });
  await leaseDelivery(ctx, delivery?.id ?? "");
  const failure = sql`select finish_webhook(${ctx.app.id}, ${delivery?.id}, 1, ${attempt}, ${rules})`;
  expect(await settingAfter(failure)).toBe("on");
  expect(await statusesOf(ctx)).toEqual({ failed: 1 });
});
