import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { checkIntegration } from "@/lib/outward/integration/check";
import { campaignPlatforms, campaigns, dailyStats, refillRules, storeOffers } from "@/lib/platform/db/schema";
import { pauseCampaign } from "@/lib/program/campaigns/lifecycle";
import { rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { setPool, soundApp } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

test("an inactive offer of a refill is named, also one that comes later in its order", async () => {
  const { ctx, pools } = await soundApp();
  const { orm } = ctx.db;
  const offer = (id: string, active: boolean) => ({
    appId: ctx.app.id,
    type: "subscription" as const,
    id,
    name: `Offer ${id}`,
    product: "pro",
    productId: "pro",
    active,
  });
  await orm.insert(storeOffers).values([offer("1", true), offer("2", false), offer("3", false)]);
  await orm.insert(refillRules).values({
    appId: ctx.app.id,
    poolId: pools.ios.reward,
    offerType: "subscription",
    offerId: "1",
    offerName: "Offer 1",
    threshold: 5,
    amount: 10,
    quarterCap: 100,
    validDays: 90,
    laterOffers: [{ type: "subscription", id: "2", name: "Offer 2" }],
  });
  const ended = (await checkIntegration(ctx)).filter(({ subject }) => subject === "ended offers");
  expect(ended).toMatchObject([
    { state: "warning", evidence: [expect.stringContaining("lists Offer 2 as inactive")] },
  ]);
});

test("a program whose first campaign was not activated says so, with the codes that wait for it", async () => {
  const { ctx, campaignId } = await soundApp();
  const own = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, campaignId));
  await ctx.db.orm.update(campaigns).set({ status: "draft", activatedAt: null }).where(own);
  const found = async () => (await checkIntegration(ctx)).filter(({ topic }) => topic === "campaigns");
  const asks = (evidence: string, detail: string) => ({
    state: "warning",
    title: "No campaign has been activated",
    evidence: [evidence],
    problems: [{ title: "Codes are ready, but no campaign is active", detail }],
  });
  expect(await found()).toMatchObject([
    asks("1 draft to activate.", "Activate a campaign: until then friends get no codes."),
  ]);
  // A draft that was ended has never run and cannot be activated.
  await ctx.db.orm.update(campaigns).set({ status: "ended" }).where(own);
  const create = asks(
    "There is none to activate: create one.",
    "Create a campaign: until then friends get no codes.",
  );
  expect(await found()).toMatchObject([create]);
  await ctx.db.orm.delete(campaigns).where(own);
  expect(await found()).toMatchObject([create]);
});

test("checks and their problems name the role that their action needs", async () => {
  const { ctx, pools, campaignId } = await soundApp();
  await setPool(ctx, pools.ios.referee, { lowStock: 60 });
  await pauseCampaign(ctx, campaignId);
  const steps = (await checkIntegration(ctx))
    .flatMap((check) => [check, ...check.problems])
    .map(({ action, needs }) => `${action}: ${needs}`);
  expect(steps).toContain("Import codes: member");
  expect(steps).toContain("Resume the campaign: member");
  expect(steps).toContain("Connect a provider: admin");
});

test("an empty pool says nothing of how long its codes will last", async () => {
  const { ctx, pools, campaignId } = await makeTenant({ codes: 0 });
  const day = new Date().toISOString().slice(0, 10);
  await ctx.db.orm
    .insert(dailyStats)
    .values({ appId: ctx.app.id, campaignId, platform: "ios", assigned: 10, day });
  const evidence = async () =>
    (await checkIntegration(ctx)).find(({ subject }) => subject === pools.ios.referee)?.evidence;
  expect(await evidence()).toEqual(["0 free codes."]);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 5 });
  expect(await evidence()).toContain("At the pace of the last 7 days, they will last less than a day.");
});

test("a store whose campaign has no pool for friends leads to the campaign: imported codes would not help", async () => {
  const { ctx, campaignId } = await makeTenant({ codes: 60 });
  const own = eq(campaignPlatforms.campaignId, campaignId);
  await ctx.db.orm.update(campaignPlatforms).set({ refereePoolId: null }).where(own);
  expect((await checkIntegration(ctx)).find(({ subject }) => subject === "store ios")).toMatchObject({
    state: "warning",
    evidence: ["The campaign has no referee pool: friends on iOS get no codes."],
    path: `/campaigns/${campaignId}`,
  });
});

test("a key that was rotated and still works for a while is no good sign: it says until when", async () => {
  const { ctx } = await soundApp();
  const [key] = await listKeys(ctx);
  await rotateKey(asTeamMember(ctx), { keyId: key?.id ?? "", grace: "24h" });
  const found = (await checkIntegration(ctx)).find(({ subject }) => subject === key?.id);
  expect(found).toMatchObject({
    state: "hint",
    evidence: [
      "Never used.",
      expect.stringMatching(/^It expires on .+ UTC: replace it where it is still used\.$/),
      expect.stringMatching(/^Scopes: /),
    ],
  });
});
