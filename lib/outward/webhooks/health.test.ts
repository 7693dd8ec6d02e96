import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import { checkWebhooks } from "@/lib/outward/integration/check-webhooks";
import { watchApp } from "@/lib/outward/problems/watch";
import { disableEndpoint, enableEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { webhookQueue } from "@/lib/outward/webhooks/queue";
import { tryEndpointNow } from "@/lib/outward/webhooks/resend";
import { SCHEDULE } from "@/lib/outward/webhooks/schedule";
import { database } from "@/lib/platform/db/client";
import { auditLog, emails, memberships, users } from "@/lib/platform/db/schema";
import { emitExample } from "@/lib/testing/events";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, deliverOpen, endpointRow, makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const HOUR = 3_600_000;

const emit = (app: string) => emitExample(database(), app, "referral.redeemed", { referral_id: uuidv7() });

async function ownerOf(workspaceId: string): Promise<string> {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await database().orm.insert(users).values({ id, email, name: "Olga", emailVerifiedAt: new Date() });
  await database().orm.insert(memberships).values({ workspaceId, userId: id, role: "owner" });
  return email;
}

const emailsTo = async (email: string) =>
  (await database().orm.select().from(emails).where(eq(emails.recipient, email))).map(
    ({ subject }) => subject,
  );

test("410 disables the endpoint at once and emails its owners; pending deliveries continue when it is enabled", async () => {
  const { ctx } = await makeTenant({ codes: 60 });
  const email = await ownerOf(ctx.workspace.id);
  let gone = true;
  const receiver = await makeReceiver(ctx, { answer: () => (gone ? 410 : 204) });
  await emit(ctx.app.id);
  await emit(ctx.app.id);
  expect(await deliverOpen(ctx)).toEqual(["failed", "off"]);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: false, disabledReason: "gone" });
  await watchApp(ctx);
  expect(await emailsTo(email)).toEqual([
    expect.stringMatching(/^Fitness: Webhooks to 127\.0\.0\.1:\d+ were disabled$/),
  ]);
  const entries = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
  expect(entries.find(({ action }) => action === "webhook.disabled")).toMatchObject({ actorKind: "system" });
  await emit(ctx.app.id);
  expect(await deliveriesOf(ctx)).toHaveLength(2);
  gone = false;
  await enableEndpoint(ctx, receiver.id);
  expect(await deliverOpen(ctx)).toEqual(["delivered", "delivered"]);
});

test("a failing endpoint is slowed, which costs no attempts, emailed about once, and disabled after five days without a success", async () => {
  const { ctx } = await makeTenant({ codes: 60 });
  const email = await ownerOf(ctx.workspace.id);
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  for (let index = 0; index < 7; index++) await emit(ctx.app.id);
  expect(await deliverOpen(ctx)).toEqual([...Array(5).fill("failed"), "held", "held"]);
  expect((await deliveriesOf(ctx)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 0, 0]);
  const set = (ago: number) =>
    database().orm.execute(sql`update webhook_endpoints set slowed_until = null,
      failing_since = now() - make_interval(secs => ${ago / 1_000}) where id = ${receiver.id}`);
  await set(2 * HOUR);
  await deliverOpen(ctx);
  await watchApp(ctx);
  await set(3 * HOUR);
  await deliverOpen(ctx);
  await watchApp(ctx);
  expect(await emailsTo(email)).toEqual([
    expect.stringMatching(/^Fitness: 127\.0\.0\.1:\d+ does not accept webhooks$/),
  ]);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: true, warnedAt: expect.any(Date) });
  await set(121 * HOUR);
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: false, disabledReason: "failing" });
  await watchApp(ctx);
  expect(await emailsTo(email)).toHaveLength(2);
});

test("an endpoint that has failed for five days is disabled only after its owners were warned", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  const warnedAt = expect.any(Date);
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  for (const expected of [{ enabled: true, warnedAt }, { disabledReason: "failing" }]) {
    await database().orm.execute(sql`
      update webhook_endpoints set slowed_until = null, failing_since = now() - interval '121 hours' where id = ${receiver.id}`);
    await deliverOpen(ctx);
    expect(await endpointRow(ctx, receiver.id)).toMatchObject(expected);
  }
});

test("one success ends a series of failures", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const receiver = await makeReceiver(ctx, { answer: () => (down ? 500 : 200) });
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ failures: 1, failingSince: expect.any(Date) });
  const since = expect.stringMatching(/^Nothing has got through since /);
  expect(await checkWebhooks(ctx)).toMatchObject([
    { state: "hint", evidence: [since, expect.stringMatching(/^Accepted 0 /), expect.anything()] },
  ]);
  down = false;
  await deliverOpen(ctx);
  expect(await checkWebhooks(ctx)).toMatchObject([{ state: "good", evidence: [expect.anything()] }]);
  down = true;
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  // Though it has accepted others.
  expect((await checkWebhooks(ctx))[0]?.state).toBe("hint");
  down = false;
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({
    failures: 0,
    failingSince: null,
    warnedAt: null,
  });
});

test("a slowed endpoint is tried at once on request, and all deliveries follow once it accepts one", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const receiver = await makeReceiver(ctx, { answer: () => (down ? 500 : 204) });
  for (let index = 0; index < 12; index++) await emit(ctx.app.id);
  const schedule = { ...SCHEDULE, slow_first: 3_600, slow_most: 3_600 };
  const look = () => workOff(webhookQueue(ctx.db, { schedule }), 32);
  while ((await endpointRow(ctx, receiver.id)).slowedUntil === null) await look();
  expect(await look()).toBe(0);
  down = false;
  await tryEndpointNow(ctx, receiver.id);
  expect(await look()).toBe(1);
  while (receiver.accepted.length < 12) expect(await look()).toBeGreaterThan(0);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ failingSince: null, slowedUntil: null });
  const entries = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
  expect(entries.map(({ action }) => action)).toContain("webhook.tried");
  await disableEndpoint(ctx, receiver.id);
  await expect(tryEndpointNow(ctx, receiver.id)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("the endpoints of one app share 64 requests at once, and the others follow as those fail", async () => {
  const { ctx } = await makeTenant();
  for (let index = 0; index < 10; index++) await makeReceiver(ctx);
  for (let index = 0; index < 10; index++) await emit(ctx.app.id);
  let [running, most] = [0, 0];
  let fail: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const queue = webhookQueue(ctx.db, {
    schedule: { ...SCHEDULE, patience: 3_600, slow_after: 1_000 },
    send: async () => {
      running += 1;
      most = Math.max(most, running);
      await failed;
      running -= 1;
      return { status: 500, headers: {}, body: "", ms: 1 };
    },
  });
  const taken = await queue.take(200);
  expect(taken).toHaveLength(100);
  const working = Promise.all(taken.map((delivery) => queue.work(delivery)));
  await vi.waitFor(() => expect(running).toBe(64), { timeout: 60_000 });
  fail();
  await working;
  expect([running, most]).toEqual([0, 64]);
});
