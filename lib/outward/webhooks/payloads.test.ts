import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/contract/webhook-events";
import { exampleBody, WEBHOOK_PAYLOADS, webhookBody } from "@/lib/contract/webhook-payloads";
import { watchApp } from "@/lib/outward/problems/watch";
import { sendTestWebhook } from "@/lib/outward/webhooks/resend";
import { database } from "@/lib/platform/db/client";
import { rewards } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { importCodes } from "@/lib/program/codes/import";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { restoreReward, withdrawReward } from "@/lib/program/rewards/by-hand";
import { emitEvent } from "@/lib/tenants/events/emit";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, deliverOpen, makeReceiver, sendDelivery } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8", AUTH_SECRET: "a secret of the tests, 32 characters" });

test.each(WEBHOOK_EVENT_NAMES)("the example of %s satisfies its schema", (type) => {
  expect(webhookBody.parse(exampleBody(type)).type).toBe(type);
  expect(WEBHOOK_PAYLOADS[type].schema.safeParse(WEBHOOK_PAYLOADS[type].example).error).toBeUndefined();
});

test("every event really occurs, matches its schema, and contains no erased person", async () => {
  const tenant = await makeTenant({ codes: 4, quota: 15, threshold: 1 });
  const { ctx, campaignId } = tenant;
  const receiver = await makeReceiver(ctx);
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann@example.com")).body;
  const click = {
    app: ctx.app.id,
    ids: [uuidv7()],
    referrers: [referrer_id],
    visitors: [Buffer.from("v")],
    times: [new Date()],
  };
  await ctx.db.call(STORE_CLICKS, click);
  await ctx.db.call(STORE_CLICKS, click);
  const [referee = ""] = await refer(tenant, metacode, 3);
  expect(await applyEvent(ctx, referee, "reverse")).toBe("reversed");
  await watchApp(ctx);
  for (const guest of ["x", "y", "z"]) await api.redeem(guest, metacode);
  const referralId = await referralIdOf(ctx, "x");
  await releaseRedemption(asTeamMember(ctx), { referralId, reason: "Wrong platform" });
  const source = (async function* () {
    yield "CODE1234\n";
  })();
  await importCodes(ctx, { poolId: tenant.pools.ios.referee, kind: "one_time", source });
  const [reward] = await ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));
  const byHand = { rewardId: reward?.id ?? "", reason: "A made-up user" };
  await withdrawReward(asTeamMember(ctx), byHand);
  await restoreReward(asTeamMember(ctx), byHand);
  await api.claim("ann@example.com");
  await endCampaign(ctx, campaignId);
  await emitEvent(ctx, "campaign.activated", { campaign_id: campaignId, name: "Launch", type: "referral" });
  for (let request = 0; request < 8; request++) await api.referrer("ann@example.com");
  await sendTestWebhook(ctx, receiver.id);
  for (let turn = 0; turn < 12; turn++) await deliverOpen(ctx);
  const received = new Map(receiver.accepted.map(({ type, body }) => [type, JSON.parse(body)]));
  expect(WEBHOOK_EVENT_NAMES.filter((name) => !received.has(name))).toEqual([]);
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
  await eraseEndUser(ctx, "ann@example.com");
  const { webhook_deliveries, webhook_attempts } = await rowsOfApp(ctx.app.id);
  expect(webhook_deliveries?.length).toBe((await deliveriesOf(ctx)).length);
  expect([naming(webhook_deliveries), naming(webhook_attempts)]).toEqual([0, others]);
});

test.each([200, 500])(
  "an answer %i to a request that was under way during an erasure names no one",
  async (status) => {
    const tenant = await makeTenant();
    const { ctx } = tenant;
    await makeReceiver(ctx);
    await clientOf(tenant.key).referrer("ann@example.com");
    const [open] = await deliveriesOf(ctx);
    const send = async ({ body }: { body?: string | undefined }) => {
      await eraseEndUser(ctx, "ann@example.com");
      return { status, headers: {}, body: `Echo: ${body}`, ms: 1 };
    };
    await sendDelivery(ctx, open?.id ?? "", { send });
    const { webhook_attempts = [], webhook_deliveries = [] } = await rowsOfApp(ctx.app.id);
    expect([...webhook_attempts, ...webhook_deliveries].filter((row) => row.includes("ann@"))).toEqual([]);
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: status === 200 ? "delivered" : "pending" }]);
  },
);
