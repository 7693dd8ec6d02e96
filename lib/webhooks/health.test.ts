import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/db/client";
import { auditLog, mails, memberships, users } from "@/lib/db/schema";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, deliverOpen, endpointRow, makeReceiver } from "@/lib/testing/webhooks";
import { setEndpointEnabled } from "@/lib/webhooks/change";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const HOUR = 3_600_000;

const emit = (app: string) => database().call("emit", [app, "referral.redeemed", { referral_id: uuidv7() }]);

async function ownerOf(workspaceId: string): Promise<string> {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await database().orm.insert(users).values({ id, email, name: "Olga", emailVerifiedAt: new Date() });
  await database().orm.insert(memberships).values({ workspaceId, userId: id, role: "owner" });
  return email;
}

const lettersTo = async (email: string) =>
  (await database().orm.select().from(mails).where(eq(mails.recipient, email))).map(({ subject }) => subject);

test("410 switches the endpoint off at once and its owners hear of it; what waits goes on when it is on again", async () => {
  const { ctx } = await makeTenant();
  const email = await ownerOf(ctx.workspace.id);
  let gone = true;
  const receiver = await makeReceiver(ctx, { answer: () => (gone ? 410 : 204) });
  await emit(ctx.app.id);
  await emit(ctx.app.id);
  expect(await deliverOpen(ctx)).toEqual(["failed", "off"]);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: false, disabledReason: "gone" });
  expect(await lettersTo(email)).toEqual([
    expect.stringMatching(/^Fitness: 127\.0\.0\.1:\d+ wants no more webhooks$/),
  ]);
  const entries = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
  expect(entries.find(({ action }) => action === "webhook.disabled")).toMatchObject({ actorKind: "system" });
  await emit(ctx.app.id);
  expect(await deliveriesOf(ctx)).toHaveLength(2);
  gone = false;
  await setEndpointEnabled(ctx, receiver.id, true);
  expect(await deliverOpen(ctx)).toEqual(["delivered", "delivered"]);
});

test("a failing endpoint is slowed, which costs no attempts; warned of once; and off after five days without a success", async () => {
  const { ctx } = await makeTenant();
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
  await set(3 * HOUR);
  await deliverOpen(ctx);
  expect(await lettersTo(email)).toEqual([
    expect.stringMatching(/^Fitness: webhooks to 127\.0\.0\.1:\d+ are failing$/),
  ]);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: true, warnedAt: expect.any(Date) });
  await set(121 * HOUR);
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ enabled: false, disabledReason: "failing" });
  expect(await lettersTo(email)).toHaveLength(2);
});

test("one success ends a spell of failures", async () => {
  const { ctx } = await makeTenant();
  let down = true;
  const receiver = await makeReceiver(ctx, { answer: () => (down ? 500 : 200) });
  await emit(ctx.app.id);
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({ failures: 1, failingSince: expect.any(Date) });
  down = false;
  await deliverOpen(ctx);
  expect(await endpointRow(ctx, receiver.id)).toMatchObject({
    failures: 0,
    failingSince: null,
    warnedAt: null,
  });
});
