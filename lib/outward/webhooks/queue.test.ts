import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeEach, expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { watchApp } from "@/lib/outward/problems/watch";
import { watchBacklogs } from "@/lib/outward/rounds/mark-apps";
import { getEndpoint } from "@/lib/outward/webhooks/endpoints";
import { disableEndpoint, enableEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { tryEndpointNow } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { alerts, rounds, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { emitExample } from "@/lib/testing/events";
import { ago, MINUTE } from "@/lib/testing/problems";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { endpointRow, makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

beforeEach(async () => {
  await database().pool.query("truncate webhook_deliveries");
  await database().pool.query("update webhook_endpoints set busy_since = null");
});

const queueOf = ({ db }: Context) =>
  webhookQueue(db, { schedule: { ...SCHEDULE, lease: 3_600, patience: 3_600 } });

/** An endpoint whose 130 deliveries are more than a poll sees: a process holds 8, and all others but one are parked. */
async function busyEndpoint(receiver: Parameters<typeof makeReceiver>[1] = {}) {
  const { ctx } = await makeTenant({ codes: 60 });
  const { id } = await makeReceiver(ctx, receiver);
  for (let index = 0; index < 130; index++) {
    await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
  }
  const queue = queueOf(ctx);
  let held = await queue.take(8);
  const park = () => queueOf(ctx).take(8);
  await park();
  expect(await parked(ctx)).toBe(121);
  const finishHeld = async () => {
    await Promise.all(held.map((taken) => queue.work(taken)));
    held = [];
  };
  const hold = async () => {
    held = await queue.take(8);
  };
  return { ctx, id, queue, park, hold, finishHeld };
}

const parked = ({ db }: Context) => db.orm.$count(webhookDeliveries, sql`parked_at is not null`);

/** Moves all times back by that many minutes, except those of leases. */
async function pass({ db }: Context, minutes: number): Promise<void> {
  // Without UTC, it would depend on the time zone of the session, which a cluster refuses.
  const earlier = (column: string) =>
    sql.raw(`${column} = (${column} at time zone 'UTC' - interval '${minutes} min') at time zone 'UTC'`);
  await db.orm.execute(sql`update webhook_deliveries set ${earlier("parked_at")}, ${earlier("due_at")}`);
  await db.orm.execute(sql`update webhook_deliveries set ${earlier("wake_at")}
    where leased_until is null and parked_at is null`);
  await db.orm.execute(sql`update webhook_endpoints
    set ${earlier("busy_since")}, ${earlier("failing_since")}, ${earlier("slowed_until")}`);
}

/** Restarts the waiting time of all that waits, like parking and waking it. */
async function restart({ db }: Context): Promise<void> {
  const where = sql`where leased_until is null and status in ('pending', 'failed') and parked_at is`;
  await db.orm.execute(sql`update webhook_deliveries set wake_at = now() ${where} null`);
  await db.orm.execute(sql`update webhook_deliveries set parked_at = now() ${where} not null`);
}

const set = ({ db }: Context, id: string, values: object) =>
  db.orm.update(webhookEndpoints).set(values).where(eq(webhookEndpoints.id, id));

const late = async (ctx: Context) => (await detect(ctx)).filter(({ kind }) => kind === "backlog");

const minutesBusy = async (ctx: Context, id: string) => {
  const { busySince } = await endpointRow(ctx, id);
  return busySince && Math.round((Date.now() - busySince.getTime()) / MINUTE);
};

/** The apps that the minute's round has checked. */
async function checked({ db }: Context) {
  await db.orm.delete(rounds);
  await watchBacklogs(db);
  return (await db.orm.select().from(rounds)).map(({ appId, name }) => [appId, name]);
}

test("an endpoint that is slower than its events opens one alert, however many are parked, until it has caught up", async () => {
  const { ctx, id, queue, park, hold, finishHeld } = await busyEndpoint();
  const alert = async () => {
    await watchApp(ctx);
    return ctx.db.orm.select().from(alerts).where(eq(alerts.appId, ctx.app.id));
  };
  await pass(ctx, 9);
  // The delivery that is checked is sent, and others follow it.
  await restart(ctx);
  expect([await alert(), await checked(ctx)]).toEqual([[], []]);
  await pass(ctx, 2);
  expect(await checked(ctx)).toEqual([[ctx.app.id, "checks"]]);
  const opened = await alert();
  const detail = expect.stringMatching(/^Make the endpoint respond faster: events arrive faster/);
  expect(opened).toMatchObject([{ kind: "backlog", subject: `webhooks ${id}`, detail }]);
  for (const change of [restart, finishHeld, hold, park, finishHeld, checked]) {
    await change(ctx);
    expect(await alert()).toEqual(opened);
  }
  while (await workOff(queue, 64)) expect(await alert()).toEqual(opened);
  expect(await checked(ctx)).toEqual([[ctx.app.id, "checks"]]);
  expect(await alert()).toEqual([]);
  expect(await minutesBusy(ctx, id)).toBeNull();
});

test("an endpoint with few deliveries, none of them parked, opens one alert, until none has waited for a minute", async () => {
  const { ctx } = await makeTenant({ codes: 60 });
  await makeReceiver(ctx);
  await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
  const wait = (minutes: number) =>
    ctx.db.orm.update(webhookDeliveries).set({ wakeAt: ago(minutes * MINUTE) });
  const alert = async (minutes: number) => {
    await wait(minutes);
    await watchApp(ctx);
    return ctx.db.orm.select().from(alerts).where(eq(alerts.appId, ctx.app.id));
  };
  expect(await alert(9)).toEqual([]);
  const opened = await alert(11);
  expect(opened).toHaveLength(1);
  for (const minutes of [9, 11, 2]) expect(await alert(minutes)).toEqual(opened);
  expect(await alert(0)).toEqual([]);
});

test("an endpoint that always has as much to do as it can, and sends each within a minute, is not late", async () => {
  const { ctx, id } = await busyEndpoint();
  await pass(ctx, 30);
  await restart(ctx);
  expect(await minutesBusy(ctx, id)).toBe(30);
  expect(await late(ctx)).toEqual([]);
  await pass(ctx, 2);
  expect(await late(ctx)).toHaveLength(1);
});

test("an endpoint has been busy since the first delivery that was due when others were parked", async () => {
  const { ctx, id, hold, finishHeld, park } = await busyEndpoint();
  await pass(ctx, 5);
  await set(ctx, id, { busySince: null });
  await ctx.db.orm.execute(sql`update webhook_deliveries set parked_at = null, wake_at = now() - interval '4 min'
    where leased_until is null`);
  await park();
  expect(await minutesBusy(ctx, id)).toBe(4);
  // It stays so while it is busy; only a clock that was set back makes it start over.
  await pass(ctx, 3);
  await finishHeld();
  await ctx.db.orm.execute(
    sql`update webhook_deliveries set parked_at = null, wake_at = now() where status = 'pending'`,
  );
  await hold();
  await park();
  expect(await minutesBusy(ctx, id)).toBe(7);
  await set(ctx, id, { busySince: ago(-MINUTE * 60) });
  await ctx.db.orm.execute(
    sql`update webhook_deliveries set parked_at = null, wake_at = now() where leased_until is null and status = 'pending'`,
  );
  await park();
  expect(await minutesBusy(ctx, id)).toBe(0);
});

test("parking waits for no process that has locked the endpoint, and the next parking notes that it is busy", async () => {
  const { ctx, id, park } = await busyEndpoint();
  const parkAgain = async () => {
    await ctx.db.orm.execute(sql`update webhook_deliveries set parked_at = null, wake_at = now() - interval '4 min'
      where leased_until is null`);
    await park();
    expect(await parked(ctx)).toBe(121);
  };
  await set(ctx, id, { busySince: null });
  await ctx.db.transaction(async (db) => {
    await getEndpoint({ ...ctx, db }, id, true);
    await parkAgain();
  });
  expect(await minutesBusy(ctx, id)).toBeNull();
  await parkAgain();
  expect(await minutesBusy(ctx, id)).toBe(4);
});

test("the time in which an endpoint fails is not one in which it is slow", async () => {
  let status = 500;
  const { ctx, id, finishHeld, queue } = await busyEndpoint({ answer: () => status });
  await pass(ctx, 8);
  await finishHeld();
  await pass(ctx, 50);
  await restart(ctx);
  await ctx.db.orm.execute(sql`update webhook_deliveries
    set parked_at = now() - interval '50 min' where parked_at is not null`);
  expect([await late(ctx), await checked(ctx)]).toEqual([[], []]);
  status = 204;
  await tryEndpointNow(ctx, id);
  expect(await workOff(queue)).toBe(1);
  expect(await endpointRow(ctx, id)).toMatchObject({ failingSince: null });
  expect(await minutesBusy(ctx, id)).toBe(8);
  expect(await late(ctx)).toEqual([]);
  await pass(ctx, 3);
  expect(await late(ctx)).toHaveLength(1);
  // An endpoint whose deliveries were parked during its failures has been slow since their end.
  await set(ctx, id, { busySince: ago(5 * MINUTE), failingSince: ago(20 * MINUTE) });
  expect(await workOff(queue, 1)).toBe(1);
  expect(await minutesBusy(ctx, id)).toBe(0);
});

test("an endpoint with an open alert stays late while it fails, and without one has its app not checked for that", async () => {
  const { ctx, id } = await busyEndpoint();
  await pass(ctx, 11);
  await watchApp(ctx);
  await set(ctx, id, { failingSince: ago(MINUTE / 2) });
  await restart(ctx);
  expect(await late(ctx)).toHaveLength(1);
  await ctx.db.orm.delete(alerts);
  await ctx.db.orm.delete(webhookDeliveries);
  expect(await checked(ctx)).toEqual([]);
  expect(await minutesBusy(ctx, id)).toBeNull();
});

test("an endpoint is busy until nothing is parked and nothing that is due has waited for a minute", async () => {
  const { ctx, id } = await busyEndpoint();
  await checked(ctx);
  expect(await minutesBusy(ctx, id)).toBe(0);
  await ctx.db.orm.execute(
    sql`update webhook_deliveries set parked_at = null, wake_at = now() - interval '2 min'`,
  );
  await checked(ctx);
  expect(await minutesBusy(ctx, id)).toBe(0);
  await restart(ctx);
  await ctx.db.orm.execute(sql`update webhook_deliveries set wake_at = now()`);
  await checked(ctx);
  expect(await minutesBusy(ctx, id)).toBeNull();
});

test.each([
  ["enabled again", enableEndpoint],
  ["checked by the next round", checked],
])("an endpoint that was disabled is no longer busy once it is %s", async (_, next) => {
  const { ctx, id } = await busyEndpoint();
  await pass(ctx, 30);
  expect(await minutesBusy(ctx, id)).toBe(30);
  await disableEndpoint(ctx, id);
  await next(ctx, id);
  expect(await minutesBusy(ctx, id)).toBeNull();
});
