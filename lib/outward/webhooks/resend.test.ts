import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { getDelivery } from "@/lib/outward/webhooks/deliveries";
import { disableEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { resendDelivery, resendFailed, sendTestWebhook } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { auditLog } from "@/lib/platform/db/schema";
import { emitExample } from "@/lib/testing/events";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import {
  deliveriesOf,
  deliverOpen,
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
  const shown = await getDelivery(ctx, receiver.id, id);
  expect(shown).toMatchObject({ status: "delivered", body: receiver.accepted[0]?.body });
  expect(shown.attempts.map(({ number, status, error }) => [number, status, error])).toEqual([
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
    () => getDelivery(mine.ctx, receiver.id, id),
    () => getDelivery(mine.ctx, own.id, id),
    () => resendFailed(mine.ctx, receiver.id, new Date(0)),
    () => sendTestWebhook(mine.ctx, receiver.id),
    () => getDelivery(theirs.ctx, receiver.id, "nonsense"),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await disableEndpoint(theirs.ctx, receiver.id);
  for (const attempt of [
    () => resendDelivery(theirs.ctx, receiver.id, id),
    () => resendFailed(theirs.ctx, receiver.id, new Date(0)),
    () => sendTestWebhook(theirs.ctx, receiver.id),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "CONFLICT" });
  }
});
