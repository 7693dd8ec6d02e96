import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { detect, listProblems } from "@/lib/outward/problems/detect";
import type { Problem } from "@/lib/outward/problems/problem";
import { apiKeys, campaigns, pools, providerConnections, quotaUsage } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { leaseEmails, sendLeasedEmail } from "@/lib/platform/email/sender";
import { endCampaign, pauseCampaign } from "@/lib/program/campaigns/lifecycle";
import { createConnection } from "@/lib/program/connections/create";
import { copyCampaign } from "@/lib/testing/campaigns";
import { applyEvent } from "@/lib/testing/confirm";
import { ago, DAY, setPool, soundApp } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("a healthy app has no problem, whatever is wrong with another app", async () => {
  const { ctx } = await soundApp();
  await makeTenant({ codes: 0 });
  expect(await detect(ctx)).toEqual([]);
  expect(await listProblems(ctx)).toEqual([]);
});

test("a mailbox that the mail server refuses is a problem of its channel and of its pool, until an email gets through", async () => {
  const { ctx, pools: own } = await soundApp();
  const target = `On-Call-${ctx.app.id}@example.com`;
  await createChannel(asTeamMember(ctx), { type: "mail", name: "on call", target, kinds: ["quota"] });
  await setPool(ctx, own.ios.referee, { alertTo: [target.toLowerCase()] });
  await setPool(ctx, own.ios.reward, { alertTo: ["bob@example.com", target] });
  const titles = async () => (await detect(ctx)).map(({ title }) => title);
  const send = async (responseCode: number) => {
    await sendEmail(ctx.db, { to: target, subject: "Hello", text: "" });
    const deliver = async () => {
      if (responseCode >= 500)
        throw Object.assign(new Error("no such user"), { code: "EENVELOPE", responseCode });
    };
    for (const email of await leaseEmails(ctx.db, 10))
      await sendLeasedEmail(ctx.db, email, undefined, deliver);
  };
  expect(await titles()).toEqual([]);
  await send(550);
  expect(await titles()).toEqual([
    "Recipients of the pool “ios referee” get no alerts",
    "Some recipients of the pool “ios reward” get no alerts",
    "on call gets no alerts",
  ]);
  await send(250);
  expect(await titles()).toEqual([]);
});

describe("the quota", () => {
  const used = async (amount: number) => {
    const tenant = await makeTenant({ codes: 60, plan: "free" });
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await tenant.ctx.db.orm
      .insert(quotaUsage)
      .values({ workspaceId: tenant.ctx.workspace.id, month, used: amount });
    return (await detect(tenant.ctx)).map(({ severity, kind, title }) => [severity, kind, title]);
  };

  test("is a warning at 80%, and the most urgent problem when it is used up", async () => {
    expect(await used(799)).toEqual([]);
    expect(await used(800)).toEqual([["warning", "quota", "80% of the monthly quota is used"]]);
    expect(await used(999)).toEqual([["warning", "quota", "99% of the monthly quota is used"]]);
    expect(await used(1_000)).toEqual([["critical", "quota", "The monthly quota is used up"]]);
  });
});

test("a key that is unused a day after its creation is a hint in the overview", async () => {
  const { ctx } = await soundApp();
  await ctx.db.orm
    .update(apiKeys)
    .set({ createdAt: ago(2 * DAY) })
    .where(eq(apiKeys.appId, ctx.app.id));
  expect(await listProblems(ctx)).toMatchObject([
    { severity: "hint", kind: "key_unused", title: "The key “Test” has never been used" },
  ]);
  expect(await detect(ctx)).toEqual([]);
});

test("the most urgent problem comes first, whichever question finds it", async () => {
  const { ctx, pools: made } = await soundApp();
  await ctx.db.orm.update(pools).set({ lowStock: 60 }).where(eq(pools.id, made.ios.referee));
  await applyEvent(ctx, "$RCAnonymousID:1");
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  await ctx.db.orm
    .update(providerConnections)
    .set({ refusedAt: new Date() })
    .where(eq(providerConnections.id, id));
  const severities = (problems: Pick<Problem, "severity">[]) => problems.map(({ severity }) => severity);
  expect(severities(await detect(ctx))).toEqual(["critical", "warning", "hint"]);
  expect(severities(await listProblems(ctx))).toEqual(["critical", "warning", "hint"]);
});

test("a referral campaign that is over is a problem beside influencer campaigns, and a hint after a month", async () => {
  const tenant = await soundApp();
  const { ctx, campaignId } = tenant;
  await copyCampaign(tenant, { type: "influencer", name: "Ida" });
  const found = async () =>
    (await detect(ctx))
      .filter(({ subject }) => subject === "no referrals")
      .map(({ severity, title }) => [severity, title]);
  expect(await found()).toEqual([]);
  await pauseCampaign(ctx, campaignId);
  expect(await found()).toEqual([["warning", "No referral campaign is active: “Launch” is paused"]]);
  await endCampaign(ctx, campaignId);
  expect(await found()).toEqual([["warning", "No referral campaign is active: “Launch” has ended"]]);
  const launch = eq(campaigns.id, campaignId);
  await ctx.db.orm
    .update(campaigns)
    .set({ endsAt: ago(31 * DAY) })
    .where(launch);
  expect(await found()).toEqual([["hint", "No referral campaign is active: “Launch” has ended"]]);
  await copyCampaign(tenant, { name: "Next" });
  expect(await found()).toEqual([]);
  await ctx.db.orm
    .delete(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.type, "referral")));
  expect(await found()).toEqual([]);
});
