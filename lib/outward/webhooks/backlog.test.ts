import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { disableEndpoint, enableEndpoint, MAX_ENDPOINTS } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { sendTestWebhook } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { webhookDeliveries } from "@/lib/platform/db/schema";
import { runQueue, wakeQueue } from "@/lib/platform/jobs/queue";
import type { Context } from "@/lib/tenants/context";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import {
  deliveriesOf,
  endpointRow,
  leaseDelivery,
  makeReceiver,
  sendDelivery,
} from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

/** A poll takes the due deliveries of all apps. */
beforeEach(async () => {
  await database().pool.query("truncate webhook_deliveries");
});

const emit = ({ app, db }: Context, referral_id: string = uuidv7()) =>
  emitExample(db, app.id, "referral.redeemed", { referral_id });

const set = ({ app, db }: Context, values: object) =>
  db.orm.update(webhookDeliveries).set(values).where(eq(webhookDeliveries.appId, app.id));

/** Attempts the n-th delivery, in the order of creation. */
async function attempt(ctx: Context, index: number, schedule = SCHEDULE): Promise<string> {
  const row = (await deliveriesOf(ctx))[index];
  return sendDelivery(ctx, row?.id ?? "", { schedule });
}

/** Takes and sends due deliveries, as one poll of a process would. */
const look = ({ db }: Context, limit = 32) => workOff(webhookQueue(db), limit);

const attempted = async (ctx: Context) =>
  (await deliveriesOf(ctx)).filter(({ attempts }) => attempts > 0).map(({ eventType }) => eventType);

/** Slows an endpoint until the given number of seconds from now. */
const slow = ({ db }: Context, id: string, seconds: number) =>
  db.orm.execute(sql`update webhook_endpoints set failing_since = now(), failures = 5,
    slowed_until = now() + make_interval(secs => ${seconds}) where id = ${id}`);

test("a delivery is not taken before its next attempt is due, even if it is checked", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  await emit(ctx);
  expect(await look(ctx)).toBe(1);
  await set(ctx, { wakeAt: sql`now()` });
  expect(await look(ctx)).toBe(0);
  const [row] = await deliveriesOf(ctx);
  expect([receiver.got.length, row?.attempts]).toEqual([1, 1]);
  expect(row?.wakeAt).toEqual(row?.dueAt);
});

test("a slowed endpoint gets one delivery at a time until it accepts one", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let index = 0; index < 3; index++) await emit(ctx);
  await slow(ctx, receiver.id, 0);
  const first = (await deliveriesOf(ctx))[0]?.id ?? "";
  await leaseDelivery(ctx, first);
  expect(await attempt(ctx, 1)).toBe("busy");
  await set(ctx, { leasedUntil: null });
  expect(await attempt(ctx, 1)).toBe("delivered");
  await leaseDelivery(ctx, first);
  expect(await attempt(ctx, 2)).toBe("delivered");
});

test("a test event does not wait for the end of a pause, and ends it", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let index = 0; index < 20; index++) await emit(ctx);
  await slow(ctx, receiver.id, 300);
  expect(await look(ctx)).toBe(0);
  await emit(ctx);
  await sendTestWebhook(ctx, receiver.id);
  expect(await look(ctx)).toBe(1);
  expect(await attempted(ctx)).toEqual(["webhook.test"]);
  expect((await endpointRow(ctx, receiver.id)).slowedUntil).toBeNull();
  while (receiver.accepted.length < 22) expect(await look(ctx)).toBeGreaterThan(0);
});

test.each([
  ["is healthy", undefined],
  ["may be tried again", 0],
  ["is slowed", 300],
])("a test event is sent before the deliveries that wait for an endpoint that %s", async (_, seconds) => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  for (let index = 0; index < 5; index++) await emit(ctx);
  await set(ctx, { wakeAt: sql`now() - interval '1 minute'` });
  if (seconds !== undefined) await slow(ctx, receiver.id, seconds);
  await sendTestWebhook(ctx, receiver.id);
  expect(await look(ctx, 1)).toBe(1);
  expect(await attempted(ctx)).toEqual(["webhook.test"]);
});

test("100,000 deliveries of an endpoint that is slowed hold up no other, and cost a look little", async () => {
  const { ctx } = await makeTenant();
  const dead = await makeReceiver(ctx);
  await emit(ctx);
  const add = (from: number) =>
    ctx.db.orm.execute(sql`
    insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, lane, place, status, due_at, wake_at)
    select app_id, gen_random_uuid(), endpoint_id, event_id, event_type, 'lane ' || n, n, 'pending',
           now() - interval '1 hour', now() - interval '1 hour'
      from webhook_deliveries, generate_series(${from}::int, ${from + 1_999}::int) n
     where endpoint_id = ${dead.id} and lane not like 'lane %'`);
  for (let from = 1; from <= 100_000; from += 2_000) await add(from);
  await slow(ctx, dead.id, 300);
  const other = (await makeTenant()).ctx;
  const receiver = await makeReceiver(other);
  await emit(other);
  let looks = 0;
  while (receiver.accepted.length === 0) {
    await look(other);
    looks += 1;
  }
  expect(looks).toBeLessThan(100);
  expect(dead.got).toEqual([]);
  const { rows } = await ctx.db.orm.execute(sql`select 1 from webhook_deliveries
    where endpoint_id = ${dead.id} and parked_at is not null and wake_at <= now() + interval '10 s'`);
  expect(rows.length).toBeGreaterThan(0);
});

test.each([
  ["an app", 1, MAX_ENDPOINTS, SCHEDULE.batch],
  ["five apps", 5, 8, SCHEDULE.parallel],
])(
  "%s whose endpoints all keep their requests waiting hold up no other app",
  async (_, apps, endpoints, events) => {
    const slowApps = await Promise.all(Array.from({ length: apps }, async () => (await makeTenant()).ctx));
    const other = (await makeTenant()).ctx;
    const slowUrls: string[] = [];
    for (const ctx of slowApps) {
      for (let index = 0; index < endpoints; index++) slowUrls.push((await makeReceiver(ctx)).url);
    }
    await makeReceiver(other);
    let answer: () => void = () => undefined;
    let answered = Promise.resolve();
    const send = async ({ url }: { url: string }) => {
      const isSlow = slowUrls.some((beginning) => url.startsWith(beginning));
      if (isSlow) await answered;
      return { status: 204, headers: {}, body: "", ms: isSlow ? 5_000 : 1 };
    };
    const stop = runQueue(webhookQueue(other.db, { send }));
    const emitSlow = async () => {
      await Promise.all(slowApps.map((ctx) => emit(ctx)));
      wakeQueue("webhooks");
    };
    await emitSlow();
    const delivered = () => other.db.orm.$count(webhookDeliveries, eq(webhookDeliveries.status, "delivered"));
    await expect.poll(delivered).toBe(slowUrls.length);
    answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    for (let index = 0; index < events; index++) await emitSlow();
    const leased = () => other.db.orm.$count(webhookDeliveries, sql`leased_until > now()`);
    await expect.poll(leased).toBe(slowUrls.length * Math.min(events, 2 * SCHEDULE.parallel));
    await emit(other);
    // Each poll parks some of what the slow endpoints have left.
    const poll = () => {
      wakeQueue("webhooks");
      return attempted(other);
    };
    await expect.poll(poll).toHaveLength(1);
    expect(await delivered()).toBe(slowUrls.length + 1);
    await other.db.orm.delete(webhookDeliveries);
    answer();
    await stop();
  },
);

test("a delivery behind another is checked when that one ends or is deleted", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  const referral = uuidv7();
  for (let index = 0; index < 3; index++) await emit(ctx, referral);
  for (let index = 1; index <= 3; index++) {
    expect(await look(ctx)).toBe(1);
    expect(receiver.accepted).toHaveLength(index);
  }
  for (let index = 0; index < 2; index++) await emit(ctx, referral);
  const rows = await deliveriesOf(ctx);
  expect(await attempt(ctx, 4)).toBe("blocked");
  await ctx.db.orm.delete(webhookDeliveries).where(eq(webhookDeliveries.id, rows[3]?.id ?? ""));
  const [left] = (await deliveriesOf(ctx)).filter(({ status }) => status === "pending");
  expect(left?.wakeAt?.getTime()).toBeLessThan(Date.now() + 31 * 60_000);
});

test("a waiting delivery passes its turn on if an earlier one is in front of it", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  const referral = uuidv7();
  for (let index = 0; index < 2; index++) await emit(ctx, referral);
  await set(ctx, { parkedAt: sql`now()`, wakeAt: sql`now() + interval '20 min'` });
  const second = (await deliveriesOf(ctx))[1]?.id ?? "";
  await ctx.db.orm
    .update(webhookDeliveries)
    .set({ wakeAt: sql`now()`, parkedAt: null })
    .where(eq(webhookDeliveries.id, second));
  expect(await look(ctx)).toBe(0);
  for (let index = 1; index <= 2; index++) expect(await look(ctx)).toBe(1);
  expect(receiver.accepted).toHaveLength(2);
});

test.each([
  ["", 0],
  [", on a machine whose clock is an hour ahead", 3_600_000],
])(
  "deliveries that waited for a disabled endpoint continue once it is enabled, however many there are%s",
  async (_, ahead) => {
    const { ctx } = await makeTenant();
    const receiver = await makeReceiver(ctx);
    for (let index = 0; index < 60; index++) await emit(ctx);
    await disableEndpoint(ctx, receiver.id);
    expect(await look(ctx)).toBe(0);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ahead });
    onTestFinished(() => void vi.useRealTimers());
    await enableEndpoint(ctx, receiver.id);
    while (receiver.accepted.length < 60) expect(await look(ctx)).toBeGreaterThan(0);
  },
);

test("deliveries for a busy endpoint are never forgotten, even if nothing wakes them", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let index = 0; index < 9; index++) await emit(ctx);
  const schedule = { ...SCHEDULE, batch: 8 };
  expect(await webhookQueue(ctx.db, { schedule }).take(32)).toHaveLength(8);
  // The process that took them is gone, but its leases have not ended.
  expect(await look(ctx)).toBe(0);
  const waiting = (await deliveriesOf(ctx)).filter(({ leasedUntil }) => !leasedUntil);
  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.wakeAt?.getTime()).toBeLessThan(Date.now() + 2_000);
  await set(ctx, { leasedUntil: sql`now()`, wakeAt: sql`now()` });
  while (receiver.accepted.length < 9) expect(await look(ctx)).toBeGreaterThan(0);
});
