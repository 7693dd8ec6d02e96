import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { endCampaign } from "@/lib/campaigns/end";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/contract/webhook-events";
import { exampleBody, WEBHOOK_PAYLOADS, webhookBody } from "@/lib/contract/webhook-payloads";
import { database } from "@/lib/db/client";
import { erasePerson } from "@/lib/people/erase";
import { watchStock } from "@/lib/stats/watch-stock";
import { clientOf } from "@/lib/testing/client";
import { refer, tell } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/rows";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, deliverOpen, makeReceiver } from "@/lib/testing/webhooks";
import { sendTestEvent } from "@/lib/webhooks/test-event";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8", AUTH_SECRET: "a secret of the tests, 32 characters" });

test.each(WEBHOOK_EVENT_NAMES)("the example of %s is what its schema says", (type) => {
  expect(webhookBody.parse(exampleBody(type)).type).toBe(type);
  expect(WEBHOOK_PAYLOADS[type].schema.safeParse(WEBHOOK_PAYLOADS[type].example).error).toBeUndefined();
});

test("every event really happens, as its schema says; and an erased person is in none of them", async () => {
  const tenant = await makeTenant({ codes: 4, quota: 15, threshold: 1 });
  const { ctx, campaignId } = tenant;
  const receiver = await makeReceiver(ctx);
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann@example.com")).body;
  const click = [ctx.app.id, [uuidv7()], [referrer_id], [Buffer.from("v")], [new Date()]];
  await ctx.db.call("store_clicks", click);
  await ctx.db.call("store_clicks", click);
  const [referee = ""] = await refer(tenant, metacode, 3);
  expect(await tell(ctx, referee, "reverse")).toBe("reversed");
  await watchStock(ctx);
  for (const guest of ["x", "y", "z"]) await api.redeem(guest, metacode);
  await api.claim("ann@example.com");
  await endCampaign(ctx, campaignId);
  await ctx.db.call("emit", [
    ctx.app.id,
    "campaign.activated",
    { campaign_id: campaignId, name: "Launch", type: "referral" },
  ]);
  for (let request = 0; request < 8; request++) await api.referrer("ann@example.com");
  await sendTestEvent(ctx, receiver.id);
  for (let turn = 0; turn < 12; turn++) await deliverOpen(ctx);
  const told = new Map(receiver.accepted.map(({ type, body }) => [type, JSON.parse(body)]));
  expect(WEBHOOK_EVENT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  for (const { type, body } of receiver.accepted) {
    const { data } = webhookBody.parse(JSON.parse(body));
    expect([type, WEBHOOK_PAYLOADS[type as WebhookEvent].schema.safeParse(data).error]).toEqual([
      type,
      undefined,
    ]);
  }
  expect(receiver.accepted.filter(({ type }) => type === "referral.clicked")).toHaveLength(1);
  await database().orm.execute(sql`update webhook_attempts set response_body = 'thanks, ann@example.com'`);
  const naming = (rows: string[] = []) => rows.filter((row) => row.includes("ann@example.com")).length;
  const before = await rowsOfApp(ctx.app.id);
  const others = receiver.accepted.length - naming(before.webhook_deliveries);
  await erasePerson(ctx, "ann@example.com");
  const { webhook_deliveries, webhook_attempts } = await rowsOfApp(ctx.app.id);
  expect(webhook_deliveries?.length).toBe((await deliveriesOf(ctx)).length);
  expect([naming(webhook_deliveries), naming(webhook_attempts)]).toEqual([0, others]);
});
