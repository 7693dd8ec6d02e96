import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSender, type TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { findDelivery } from "@/lib/outward/webhooks/deliveries";
import { disableEndpoint, MAX_ENDPOINTS } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { resendDelivery, resendFailed, sendTestWebhook } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { auditLog, webhookDeliveries } from "@/lib/platform/db/schema";
import type { EgressResponse } from "@/lib/platform/egress/send";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import {
  deliveriesOf,
  deliverOpen,
  leaseDelivery,
  letTimePass,
  makeReceiver,
  sendDelivery,
} from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const emit = (app: string) => emitExample(database(), app, "referral.redeemed", { referral_id: uuidv7() });

const entriesOf = async (app: string) =>
  (await database().orm.select().from(auditLog).where(eq(auditLog.appId, app))).map(({ action }) => action);

test("a delivered event is resent with the same id and body, and both attempts are shown", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  const id = (await deliveriesOf(ctx))[0]?.id ?? "";
  await resendDelivery(ctx, receiver.id, id);
  await resendDelivery(ctx, receiver.id, id);
  expect(await deliverOpen(ctx)).toEqual(["delivered"]);
  expect(receiver.accepted).toHaveLength(2);
  expect(receiver.accepted[0]).toEqual(receiver.accepted[1]);
  const shown = await findDelivery(ctx, receiver.id, id);
  expect(shown).toMatchObject({ status: "delivered", body: receiver.accepted[0]?.body });
  expect(shown?.attempts.map(({ number, status, error }) => [number, status, error])).toEqual([
    [1, 204, null],
    [2, 204, null],
  ]);
  expect(await entriesOf(ctx.app.id)).toEqual(["webhook.created", "webhook.resent"]);
});

test("all failed deliveries are resent once, dead ones included, with a restarted schedule", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const schedule = { ...SCHEDULE, slow_after: 100 };
  const receiver = await makeReceiver(ctx, { answer: () => (down ? 500 : 204) });
  for (let index = 0; index < 3; index++) await emit(ctx.app.id);
  for (let attempt = 0; attempt < 8; attempt++) {
    await deliverOpen(ctx, { schedule });
    await letTimePass(ctx);
  }
  await emit(ctx.app.id);
  await deliverOpen(ctx, { schedule });
  expect((await deliveriesOf(ctx)).map(({ status }) => status)).toEqual(["dead", "dead", "dead", "failed"]);
  const since = new Date(Date.now() - 3_600_000);
  expect(await resendFailed(ctx, receiver.id, new Date(Date.now() + 60_000))).toEqual({
    resent: 0,
    more: false,
  });
  expect(await resendFailed(ctx, receiver.id, since)).toEqual({ resent: 4, more: false });
  expect(await resendFailed(ctx, receiver.id, since)).toEqual({ resent: 0, more: false });
  expect(await deliverOpen(ctx, { schedule })).toContain("failed");
  down = false;
  await letTimePass(ctx);
  await deliverOpen(ctx, { schedule });
  expect(receiver.accepted).toHaveLength(4);
});

test("a test event goes to that endpoint only, regardless of its events", async () => {
  const { ctx } = await makeTenant();
  const chosen = await makeReceiver(ctx, { events: ["pool.low"] });
  const other = await makeReceiver(ctx);
  await sendTestWebhook(ctx, chosen.id);
  await deliverOpen(ctx);
  expect(chosen.accepted.map(({ type, data }) => [type, data])).toEqual([
    ["webhook.test", { message: "A test from Fitness" }],
  ]);
  expect(other.got).toEqual([]);
  expect((await entriesOf(ctx.app.id)).at(-1)).toBe("webhook.tested");
});

test("a test event never waits behind an earlier one that failed, nor do two warnings about the quota", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const receiver = await makeReceiver(ctx, { answer: () => (down ? 500 : 204) });
  await sendTestWebhook(ctx, receiver.id);
  await emitExample(database(), ctx.app.id, "quota.warning");
  expect(await deliverOpen(ctx)).toEqual(["failed", "failed"]);
  down = false;
  const { id } = await sendTestWebhook(ctx, receiver.id);
  await emitExample(database(), ctx.app.id, "quota.warning");
  const rows = (await deliveriesOf(ctx)).filter(({ attempts }) => attempts === 0);
  expect(rows.map((row) => row.id)).toContain(id);
  for (const row of rows) {
    expect(await sendDelivery(ctx, row.id)).toBe("delivered");
  }
  expect(receiver.accepted.map(({ type }) => type)).toEqual(["webhook.test", "quota.warning"]);
});

test("an endpoint that is off, of another app, or gone refuses all of it", async () => {
  const [mine, theirs] = [await makeTenant(), await makeTenant()];
  const receiver = await makeReceiver(theirs.ctx);
  await emit(theirs.ctx.app.id);
  const id = (await deliveriesOf(theirs.ctx))[0]?.id ?? "";
  const own = await makeReceiver(mine.ctx);
  const beside = await makeReceiver(theirs.ctx);
  for (const attempt of [
    () => resendDelivery(mine.ctx, receiver.id, id),
    () => resendDelivery(mine.ctx, own.id, id),
    () => resendDelivery(theirs.ctx, beside.id, id),
    () => resendFailed(mine.ctx, receiver.id, new Date(0)),
    () => sendTestWebhook(mine.ctx, receiver.id),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  for (const endpointId of [receiver.id, own.id])
    expect(await findDelivery(mine.ctx, endpointId, id)).toBeUndefined();
  expect(await findDelivery(theirs.ctx, receiver.id, "nonsense")).toBeUndefined();
  await disableEndpoint(theirs.ctx, receiver.id);
  for (const attempt of [
    () => resendDelivery(theirs.ctx, receiver.id, id),
    () => resendFailed(theirs.ctx, receiver.id, new Date(0)),
    () => sendTestWebhook(theirs.ctx, receiver.id),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "CONFLICT" });
  }
});

const ANSWER: EgressResponse = { status: 204, headers: {}, body: "", ms: 1 };

test("a failure that is stored twice, because its commit was not acknowledged, counts once", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  await emit(ctx.app.id);
  const [open] = await deliveriesOf(ctx);
  const taken = (await leaseDelivery(ctx, open?.id ?? "")) as TakenDelivery;
  const sender = createSender(ctx.db, { send: async () => ({ ...ANSWER, status: 500 }) });
  const result = await sender.attempt(taken);
  expect((await sender.store(result)).status).toBe("failed");
  expect((await sender.store(result)).status).toBe("stale");
  expect(await deliveriesOf(ctx)).toMatchObject([{ attempts: 1 }]);
});

const NEVER = new Promise<never>(() => undefined);

test("test events of an endpoint that does not answer, however many, hold up no other app", async () => {
  await database().orm.delete(webhookDeliveries);
  const [{ ctx }, { ctx: other }] = [await makeTenant(), await makeTenant()];
  const { id } = await makeReceiver(ctx);
  // 1,500 in one statement exceed its limit on a busy cluster.
  const add = sql`select send_test_webhook(${ctx.app.id}, ${id}, '{}'::jsonb) from generate_series(1, 300)`;
  for (let count = 0; count < 1_500; count += 300) await ctx.db.orm.execute(add);
  const queue = webhookQueue(ctx.db, { send: () => NEVER });
  const take = async () => {
    const taken = await queue.take(1_024);
    for (const delivery of taken) void queue.work(delivery);
    return taken.map(({ app }) => app);
  };
  expect(await take()).toHaveLength(1);
  await makeReceiver(other);
  await emit(other.app.id);
  await expect.poll(take).toEqual([other.app.id]);
  await database().orm.delete(webhookDeliveries);
});

test("a test event waits for no request to its endpoint, however many wait, and is first again if it was returned", async () => {
  await database().orm.delete(webhookDeliveries);
  const { ctx } = await makeTenant();
  const { id } = await makeReceiver(ctx);
  for (let index = 0; index <= SCHEDULE.batch; index++) await emit(ctx.app.id);
  const send = ({ body }: { body: string }) => (body.includes("webhook.test") ? ANSWER : NEVER);
  const queue = webhookQueue(ctx.db, { send: async (request) => send(request) });
  const held = await queue.take(1_024);
  expect(held).toHaveLength(SCHEDULE.batch);
  for (const delivery of held) void queue.work(delivery);
  await sendTestWebhook(ctx, id);
  const [returned] = await queue.take(1_024);
  expect(returned).toMatchObject({ type: "webhook.test", takes: 1 });
  await createSender(ctx.db, {}).giveBack(returned as TakenDelivery);
  const [taken] = await queue.take(1);
  expect(taken).toMatchObject({ type: "webhook.test", takes: 2 });
  await queue.work(taken as TakenDelivery);
  const delivered = (await deliveriesOf(ctx)).filter(({ status }) => status === "delivered");
  expect(delivered.map(({ eventType }) => eventType)).toEqual(["webhook.test"]);
  await database().orm.delete(webhookDeliveries);
});

test("a delivery that waited too long for its app's turn is returned, not sent with the address of then", async () => {
  await database().orm.delete(webhookDeliveries);
  const { ctx } = await makeTenant();
  for (let index = 0; index < MAX_ENDPOINTS; index++) await makeReceiver(ctx);
  for (let index = 0; index < SCHEDULE.parallel; index++) await emit(ctx.app.id);
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let sent = 0;
  const schedule = { ...SCHEDULE, patience: 0.05 };
  const send = async () => {
    sent += 1;
    await opened;
    return ANSWER;
  };
  const queue = webhookQueue(ctx.db, { schedule, send });
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const work = (await queue.take(1_024)).map((delivery) => queue.work(delivery));
  expect(work).toHaveLength(MAX_ENDPOINTS * SCHEDULE.parallel);
  await vi.waitUntil(() => sent === 64, 60_000);
  clock.mockReturnValue(performance.now() + 100);
  open();
  await Promise.all(work);
  expect(sent).toBe(64);
  const left = (await deliveriesOf(ctx)).filter(({ status }) => status === "pending");
  expect(new Set(left.map(({ leasedUntil, attempts }) => `${leasedUntil} ${attempts}`))).toEqual(
    new Set(["null 0"]),
  );
});

test("of an endpoint that answers slowly few deliveries are leased, until it answers fast again", async () => {
  await database().orm.delete(webhookDeliveries);
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  let ms = 5_000;
  const queue = webhookQueue(ctx.db, { send: async () => ({ ...ANSWER, ms }) });
  for (let index = 0; index < 40; index++) await emit(ctx.app.id);
  expect(await workOff(queue, 1)).toBe(1);
  const few = 2 * SCHEDULE.parallel;
  expect(await workOff(queue, 100)).toBe(few);
  ms = 1;
  expect(await workOff(queue, 100)).toBe(few);
  expect(await workOff(queue, 100)).toBe(39 - 2 * few);
});
