import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import type { Context } from "@/lib/context";
import { webhookDeliveries } from "@/lib/db/schema";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, makeReceiver } from "@/lib/testing/webhooks";
import { setEndpointEnabled } from "@/lib/webhooks/change";
import { deliverWebhook } from "@/lib/webhooks/deliver";
import { SCHEDULE } from "@/lib/webhooks/schedule";
import { wakeWebhooks } from "@/lib/webhooks/wake";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

const emit = ({ app, db }: Context, referral_id: string = uuidv7()) =>
  db.call("emit", [app.id, "referral.redeemed", { referral_id }]);

const set = ({ app, db }: Context, values: object) =>
  db.orm.update(webhookDeliveries).set(values).where(eq(webhookDeliveries.appId, app.id));

/** Tries the delivery that was made as the n-th. */
async function attempt(ctx: Context, index: number, schedule = SCHEDULE): Promise<string> {
  const row = (await deliveriesOf(ctx))[index];
  return deliverWebhook(ctx.db, { app: ctx.app.id, delivery: row?.id ?? "" }, { schedule });
}

async function queued({ db }: Context): Promise<string[]> {
  const { rows } = await db.orm.execute<{ key: string }>(
    sql`select key from graphile_worker.jobs where key like 'delivery:%'`,
  );
  return rows.map(({ key }) => key.replace("delivery:", ""));
}

const clearQueue = ({ db }: Context) => db.orm.execute(sql`delete from graphile_worker._private_jobs`);

test("a job that comes twice, as after a sender died behind its last statement, brings no attempt forward", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx, { answer: () => 500 });
  await emit(ctx);
  expect(await attempt(ctx, 0)).toBe("failed");
  await clearQueue(ctx);
  expect(await attempt(ctx, 0)).toBe("early");
  const [row] = await deliveriesOf(ctx);
  expect([receiver.got.length, row?.attempts]).toEqual([1, 1]);
  expect(await queued(ctx)).toEqual([row?.id]);
});

test("an endpoint that was slowed gets one delivery at a time until it takes one", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let index = 0; index < 3; index++) await emit(ctx);
  await ctx.db.orm.execute(sql`update webhook_endpoints set failing_since = now(), failures = 5,
    slowed_until = now() where id = ${receiver.id}`);
  const first = (await deliveriesOf(ctx))[0]?.id ?? "";
  await ctx.db.call("take_webhook", [ctx.app.id, first, SCHEDULE]);
  expect(await attempt(ctx, 1)).toBe("busy");
  await set(ctx, { leasedUntil: null });
  expect(await attempt(ctx, 1)).toBe("delivered");
  await ctx.db.call("take_webhook", [ctx.app.id, first, SCHEDULE]);
  expect(await attempt(ctx, 2)).toBe("delivered");
});

test("who looks for late deliveries looks at a few, and finds the first of each lane behind any number of others", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  const referral = uuidv7();
  for (let index = 0; index < 50; index++) await emit(ctx, referral);
  await emit(ctx);
  await clearQueue(ctx);
  const rows = await deliveriesOf(ctx);
  await set(ctx, { wakeAt: sql`now() - interval '1 hour'` });
  await ctx.db.orm.execute(
    sql`update webhook_deliveries set wake_at = now() + interval '1 hour' where id = ${rows[0]?.id}`,
  );
  await ctx.db.orm.execute(
    sql`update webhook_deliveries set wake_at = now() - interval '1 min' where id = ${rows[50]?.id}`,
  );
  const examined = async () => {
    await ctx.db.call("wake_webhooks", [ctx.app.id, rows[0]?.endpointId, 1, 60]);
    const found = await ctx.db.orm.execute(sql`select 1 from webhook_deliveries where wake_at = 'infinity'`);
    return found.rows.length;
  };
  expect(await examined()).toBe(20);
  expect(await queued(ctx)).toEqual([]);
  expect(await examined()).toBe(40);
  expect(await examined()).toBe(49);
  expect(await queued(ctx)).toEqual([rows[50]?.id]);
});

test("one that waits behind another has somebody come for that one, should it have been forgotten", async () => {
  const { ctx } = await makeTenant();
  await makeReceiver(ctx);
  const referral = uuidv7();
  for (let index = 0; index < 3; index++) await emit(ctx, referral);
  expect(await attempt(ctx, 1)).toBe("blocked");
  await clearQueue(ctx);
  const rows = await deliveriesOf(ctx);
  await ctx.db.orm.delete(webhookDeliveries).where(eq(webhookDeliveries.id, rows[0]?.id ?? ""));
  expect(await attempt(ctx, 1)).toBe("blocked");
  await wakeWebhooks(ctx);
  expect(await queued(ctx)).toEqual([rows[1]?.id]);
});

test("what waited while an endpoint was off goes on when it is on again, however much it is", async () => {
  const { ctx } = await makeTenant();
  const receiver = await makeReceiver(ctx);
  for (let index = 0; index < 6; index++) await emit(ctx);
  await setEndpointEnabled(ctx, receiver.id, false);
  for (let index = 0; index < 6; index++) expect(await attempt(ctx, index)).toBe("off");
  await clearQueue(ctx);
  await setEndpointEnabled(ctx, receiver.id, true);
  expect(await queued(ctx)).toHaveLength(2);
  await wakeWebhooks(ctx);
  expect(await queued(ctx)).toHaveLength(6);
});
