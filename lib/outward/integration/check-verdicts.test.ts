import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import type { CheckTopic } from "@/lib/contract/integration-check";
import { checkIntegration } from "@/lib/outward/integration/check";
import { campaigns, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { ago, DAY, soundApp } from "@/lib/testing/problems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

/** The verdicts of a topic that its facts alone decide: no problem of the app adds to them. */
async function verdictsOf(ctx: Context, topic: CheckTopic) {
  const checks = (await checkIntegration(ctx)).filter((check) => check.topic === topic);
  return checks
    .filter(({ problems }) => problems.length === 0)
    .map(({ subject, state, evidence, path, needs }) => ({ subject, state, evidence, path, needs }));
}

test("a store is good by the free codes for its friends: those of rewards and of the other store do not count", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const verdicts = async () => (await verdictsOf(ctx, "codes")).slice(0, 2);
  const empty = (platform: string, store: string) => ({
    subject: `store ${platform}`,
    state: "warning",
    path: "/codes/import",
    needs: "member",
    evidence: [`No code can be assigned: friends on ${store} get none.`],
  });
  expect(await verdicts()).toEqual([empty("ios", "iOS"), empty("android", "Android")]);
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 5 });
  await makeBatch(ctx, pools.android.referee, "android", { size: 2 });
  expect(await verdicts()).toEqual([
    empty("ios", "iOS"),
    {
      subject: "store android",
      state: "good",
      path: "/codes",
      needs: "viewer",
      evidence: ["2 codes are free for the active campaigns."],
    },
  ]);
});

test("free codes of a campaign whose budget is used up are not assigned: they count no more, and without others the store warns", async () => {
  const { ctx, pools, campaignId } = await makeTenant({ codes: 0 });
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 5 });
  const verdict = async (values: Partial<typeof campaigns.$inferInsert>) => {
    await ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.id, campaignId));
    return (await verdictsOf(ctx, "codes")).find(({ subject }) => subject === "store ios");
  };
  // Counts all of them, though the budget has room for one: free codes are not assigned yet.
  const good = { state: "good", evidence: ["5 codes are free for the active campaigns."] };
  expect(await verdict({ codeBudget: 10, spentCodes: 9 })).toMatchObject(good);
  expect(await verdict({ spentCodes: 10, recountAt: new Date() })).toMatchObject(good);
  expect(await verdict({ recountAt: null })).toMatchObject({
    state: "warning",
    path: `/campaigns/${campaignId}`,
    evidence: ["The code budget is used up: friends on iOS get no codes."],
  });
});

test("redemptions of which none was confirmed warn from 20 on, and generated IDs from one in five on", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 30 });
  const redeem = async (...uids: string[]) => {
    for (const uid of uids) expect((await api.redeem(uid, metacode)).status).toBe(200);
    const verdicts = await verdictsOf(tenant.ctx, "loop");
    return verdicts.slice(0, 2).map(({ state, evidence, path }) => [state, evidence[0], path]);
  };
  const waiting = "/referrals?status=code_assigned";
  const generated = (count: string) => expect.stringContaining(`${count} have no ID that your app chose`);
  const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  expect(await redeem(...ids("friend", 16), ...ids("$RCAnonymousID:", 3))).toEqual([
    ["hint", "0 of 19 redemptions (0%).", waiting],
    ["hint", generated("3 of 19 (16%)"), "/providers/unmatched"],
  ]);
  expect(await redeem("$RCAnonymousID:last")).toEqual([
    ["warning", "0 of 20 redemptions (0%).", waiting],
    ["warning", generated("4 of 20 (20%)"), "/providers/unmatched"],
  ]);
});

test("a webhook endpoint that is disabled, or has given up deliveries long ago, is a hint however many it accepted", async () => {
  const { ctx } = await soundApp();
  const { id: endpointId } = await makeReceiver(ctx);
  const verdict = async () =>
    (await verdictsOf(ctx, "webhooks")).map(({ state, evidence }) => [state, evidence]);
  const enable = (enabled: boolean) =>
    ctx.db.orm.update(webhookEndpoints).set({ enabled }).where(eq(webhookEndpoints.id, endpointId));
  const store = (status: "delivered" | "dead" | "pending", at: Date) =>
    ctx.db.orm.insert(webhookDeliveries).values({
      appId: ctx.app.id,
      endpointId,
      eventId: uuidv7(),
      eventType: "referral.confirmed",
      status,
      id: idAt(at),
      createdAt: at,
      deliveredAt: status === "delivered" ? new Date(at.getTime() + 200) : null,
    });
  const disabled = "It is disabled, so nothing is sent.";
  expect(await verdict()).toEqual([["idle", ["Nothing has been sent yet."]]]);
  await enable(false);
  expect(await verdict()).toEqual([["hint", [disabled, "Nothing has been sent yet."]]]);
  await store("delivered", ago(9 * DAY));
  const accepted = (count: string) => `Accepted ${count}: half of them within 200 ms, all within 200 ms.`;
  expect(await verdict()).toEqual([["hint", [disabled, accepted("1 of the last 1 delivery")]]]);
  await enable(true);
  expect(await verdict()).toEqual([["good", [accepted("1 of the last 1 delivery")]]]);
  await store("dead", ago(9 * DAY));
  const dead = "1 delivery was given up and can be resent.";
  expect(await verdict()).toEqual([["hint", [accepted("1 of the last 2 deliveries"), dead]]]);
  for (let waiting = 0; waiting < 98; waiting++) await store("pending", ago(DAY));
  const waiting = "98 of the last 100 deliveries are waiting to be sent.";
  const givenUp = "1 of the last 100 deliveries was given up and can be resent.";
  expect(await verdict()).toEqual([["hint", [accepted("1 of the last 100 deliveries"), waiting, givenUp]]]);
});

/** A row's ID as of a time. */
function idAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${uuidv7().slice(13)}`;
}
