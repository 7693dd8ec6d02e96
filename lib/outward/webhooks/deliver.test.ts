import { eq, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { disableEndpoint, rotateEndpointSecret } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { webhookAttempts, webhookDeliveries } from "@/lib/platform/db/schema";
import type { EgressResponse } from "@/lib/platform/egress/send";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { verify } from "@/lib/testing/webhooks/verifier";
import {
  deliveriesOf,
  deliverOpen,
  letTimePass,
  makeReceiver,
  sendDelivery,
} from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const emit = (
  app: string,
  referral_id: string = uuidv7(),
  type: "referral.code_assigned" | "referral.redeemed" = "referral.redeemed",
) => emitExample(database(), app, type, { referral_id });

test("an event goes to every endpoint that is on and wants it, and to no other", async () => {
  const { ctx } = await makeTenant();
  const wants = await makeReceiver(ctx, { events: ["referral.redeemed"] });
  const another = await makeReceiver(ctx);
  const uninterested = await makeReceiver(ctx, { events: ["pool.low"] });
  const off = await makeReceiver(ctx);
  await disableEndpoint(ctx, off.id);
  const foreign = await makeReceiver((await makeTenant()).ctx);
  await emit(ctx.app.id);
  expect(await deliverOpen(ctx)).toEqual(["delivered", "delivered"]);
  expect([wants, another].map(({ accepted }) => accepted.length)).toEqual([1, 1]);
  expect(wants.accepted[0]?.id).toBe(another.accepted[0]?.id);
  expect([uninterested, off, foreign].map(({ got }) => got.length)).toEqual([0, 0, 0]);
});

test("an event of a change that was undone is not sent", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  const undone = ctx.db.transaction(async (db) => {
    await emitExample(db, ctx.app.id, "pool.low");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await deliveriesOf(ctx)).toEqual([]);
});

test("retries wait as the contract says, keep the id and the body, and end as dead after the eighth", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  await emit(ctx.app.id);
  const waits: (number | undefined)[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    const before = Date.now();
    expect(await deliverOpen(ctx)).toEqual([attempt < 8 ? "failed" : "dead"]);
    const [row] = await deliveriesOf(ctx);
    expect(row).toMatchObject({ attempts: attempt, responseStatus: 500 });
    waits.push(row?.dueAt ? Math.round((row.dueAt.getTime() - before) / 1_000) : undefined);
    await letTimePass(ctx);
  }
  const near = SCHEDULE.waits.slice(1).map((wait) => expect.closeTo(wait, -1));
  expect(waits).toEqual([...near, undefined]);
  expect(SCHEDULE.waits).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
  expect(new Set(receiver.refused.map(({ id }) => id)).size).toBe(1);
  expect(new Set(receiver.refused.map(({ body }) => body)).size).toBe(1);
  const log = await database()
    .orm.select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.appId, ctx.app.id));
  expect(log.map(({ number, error }) => [number, error])).toEqual(
    Array.from({ length: 8 }, (_, index) => [index + 1, "Returned 500"]),
  );
  expect(log[0]).toMatchObject({
    responseBody: "down",
    requestHeaders: { "webhook-id": receiver.refused[0]?.id },
  });
});

test("a later event of a referral waits for the earlier one, others do not; the end of one releases the next", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const [late, other] = [uuidv7(), uuidv7()];
  const receiver = await makeReceiver(ctx, {
    answer: ({ data }) => (down && data.referral_id === late ? 503 : 204),
  });
  await emit(ctx.app.id, late, "referral.code_assigned");
  await emit(ctx.app.id, late, "referral.redeemed");
  await emit(ctx.app.id, other);
  expect(await deliverOpen(ctx)).toEqual(["failed", "blocked", "delivered"]);
  down = false;
  expect(await deliverOpen(ctx)).toEqual(["delivered", "delivered"]);
  expect(receiver.accepted.map(({ type }) => type)).toEqual([
    "referral.redeemed",
    "referral.code_assigned",
    "referral.redeemed",
  ]);
});

test("events of one referral within one microsecond, or with the clock set back, keep their order", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  const referral = uuidv7();
  const types = [
    "referral.clicked",
    "referral.code_assigned",
    "referral.redeemed",
    "referral.reversed",
  ] as const;
  await ctx.db.transaction(async (db) => {
    await emitExample(db, ctx.app.id, types[0], { referral_id: referral });
    await db.orm.execute(
      sql`update webhook_deliveries set place = place + 60000000 where app_id = ${ctx.app.id}`,
    );
    for (const type of types.slice(1)) await emitExample(db, ctx.app.id, type, { referral_id: referral });
  });
  for (const _ of types) await deliverOpen(ctx);
  expect(receiver.accepted.map(({ type }) => type)).toEqual(types);
});

test("of many senders of a delivery, one sends it", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  await emit(ctx.app.id);
  const [row] = await deliveriesOf(ctx);
  const id = row?.id ?? "";
  const states = await Promise.all(Array.from({ length: 12 }, () => sendDelivery(ctx, id)));
  expect(states.filter((state) => state === "delivered")).toHaveLength(1);
  expect(receiver.got).toHaveLength(1);
});

test("a dead sender's delivery is sent by another one after the lease, and counted once", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  await emit(ctx.app.id);
  const [row] = await deliveriesOf(ctx);
  const id = row?.id ?? "";
  let give: ((answer: EgressResponse) => void) | undefined;
  const send = () =>
    new Promise<EgressResponse>((resolve) => {
      give = resolve;
    });
  const slow = sendDelivery(ctx, id, { send, schedule: { ...SCHEDULE, lease: 0 } });
  await expect.poll(() => give).toBeDefined();
  expect(await sendDelivery(ctx, id)).toBe("delivered");
  give?.({ status: 500, headers: {}, body: "", ms: 1 });
  expect(await slow).toBe("stale");
  expect(receiver.accepted).toHaveLength(1);
  expect((await deliveriesOf(ctx))[0]).toMatchObject({ status: "delivered", attempts: 1 });
});

test("a body that is signed with two secrets verifies with each, until the grace is over", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  const next = await rotateEndpointSecret(ctx, receiver.id, "1h");
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  const [request] = receiver.got;
  if (!request) throw new Error("nothing was sent");
  for (const secret of [receiver.secret, next.secret])
    expect(verify(secret, request).type).toBe("referral.redeemed");
  const forged = { ...request, body: request.body.replace("redeemed", "reversed") };
  expect(() => verify(next.secret, forged)).toThrow();
  await database().orm.execute(
    sql`update webhook_endpoints set former_until = now() where id = ${receiver.id}`,
  );
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  expect(receiver.forged).toHaveLength(1);
});

test("a delivery whose request cannot be made is a failed attempt, and the others of its batch are sent", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let n = 0; n < 2; n++) await emit(ctx.app.id);
  const [first, second] = await deliveriesOf(ctx);
  await database().orm.execute(
    sql`update webhook_deliveries set created_at = 'infinity' where app_id = ${ctx.app.id} and id = ${first?.id}`,
  );
  await workOff(webhookQueue(database()));
  expect(receiver.accepted.map(({ id }) => id)).toEqual([second?.eventId]);
  const attempts = await database()
    .orm.select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, first?.id ?? ""));
  expect(attempts.map(({ error }) => error)).toEqual(["The request failed"]);
});

test("test events that wait for all endpoints of two apps take no leases from the deliveries of others", async () => {
  const { orm } = database();
  await orm.delete(webhookDeliveries);
  const [{ ctx }, ...others] = [await makeTenant(), await makeTenant(), await makeTenant()];
  for (const { ctx: other } of others) for (let index = 0; index < 20; index++) await makeReceiver(other);
  const add = sql`
    insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, lane, status, due_at, wake_at)
    select e.app_id, new_id(), e.id, new_id(), 'webhook.test', new_id()::text, 'pending', now(), now()
      from webhook_endpoints e, generate_series(1, 10) n where e.app_id = any(${sql.param(others.map(({ ctx: { app } }) => app.id))}::uuid[])`;
  for (let index = 0; index < 16; index++) await orm.execute(add);
  await makeReceiver(ctx);
  await emit(ctx.app.id);
  const schedule = { ...SCHEDULE, lease: 600 };
  const queue = webhookQueue(database(), { schedule, send: () => new Promise(() => undefined) });
  const apps: string[] = [];
  const parked = [0];
  // All leases of a process.
  for (let leased = 0; leased < queue.concurrency; leased += 1_024) {
    const taken = await queue.take(1_024);
    for (const delivery of taken) void queue.work(delivery);
    apps.push(...taken.map(({ app }) => app));
    parked.push(await orm.$count(webhookDeliveries, isNotNull(webhookDeliveries.parkedAt)));
  }
  // A poll that parked all of them would exceed the limit of a statement, and so would the next one.
  expect(parked.filter((count, poll) => count > 2_000 + (parked[poll - 1] ?? 0))).toEqual([]);
  expect(apps).toHaveLength(41);
  expect(apps).toContain(ctx.app.id);
  await orm.delete(webhookDeliveries);
});
