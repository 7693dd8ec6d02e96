import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { batches, campaignPlatforms, campaigns, codeRequests } from "@/lib/platform/db/schema";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { DAY } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

/** A campaign in which Ann has earned two rewards, and no codes. */
async function earned() {
  const tenant = await makeTenant({ codes: 0 });
  const { ctx, campaignId } = tenant;
  await earnRewards(tenant, "ann", 2);
  const update = (values: Partial<typeof campaigns.$inferInsert>) =>
    ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.id, campaignId));
  const waiting = async () => (await detect(ctx)).filter(({ kind }) => kind === "rewards_waiting");
  return { tenant, update, waiting };
}

test("rewards whose budget is used up need no other offer, whether their campaign is active, paused or has ended", async () => {
  const { tenant, update, waiting } = await earned();
  await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 60, offer: "Spring" });
  await update({ rewardBudget: 1 });
  expect((await clientOf(tenant.key).claim("ann")).status).toBe(200);
  for (const status of ["active", "paused", "ended"] as const) {
    await update({ status, rewardBudget: 1 });
    expect(await waiting()).toEqual([]);
    await update({ rewardBudget: 2 });
    expect(await waiting()).toMatchObject([{ title: "1 person needs a second iOS offer" }]);
  }
});

test("rewards of a campaign with a longer safety margin need codes that are valid for longer than the free ones", async () => {
  const { tenant, update, waiting } = await earned();
  const { ctx, key, pools } = tenant;
  const poolId = pools.ios.reward;
  await update({ status: "paused", safetyMarginHours: 30 * 24 });
  await copyCampaign(tenant);
  const expiresAt = new Date(Date.now() + 20 * DAY);
  const batch = await makeBatch(ctx, poolId, "ios", { size: 60, expiresAt });
  expect((await clientOf(key).claim("ann")).status).toBe(503);
  expect(await waiting()).toMatchObject([
    {
      severity: "critical",
      title: "2 rewards of “Launch” need codes that are valid for 30 days",
      detail: expect.stringContaining("or shorten the campaign’s safety margin"),
      path: `/codes/import?pool=${poolId}`,
    },
  ]);
  await update({ status: "ended", safetyMarginHours: 20 * 24 + 1 });
  const [problem] = await waiting();
  expect(problem?.title).toContain("valid for 481 hours");
  expect(problem?.detail).not.toContain("shorten");
  await update({ safetyMarginHours: 19 * 24 });
  expect(await waiting()).toEqual([]);
  // An empty pool is a separate problem.
  await update({ safetyMarginHours: 30 * 24 });
  await ctx.db.orm.update(batches).set({ state: "undone" }).where(eq(batches.id, batch));
  expect(await waiting()).toEqual([]);
});

test("rewards wait for the first codes of their pool also once their campaign is paused or has ended", async () => {
  const { tenant, update } = await earned();
  const empty = { severity: "critical", subject: `${tenant.pools.ios.reward} empty` };
  for (const status of ["active", "paused", "ended"] as const) {
    await update({ status });
    const found = (await detect(tenant.ctx)).find(({ subject }) => subject === empty.subject);
    expect(found).toMatchObject({ ...empty, detail: "Import codes: 2 rewards are waiting for them." });
  }
});

test("a code that only the longer margin of another campaign excludes is free for a reward", async () => {
  const { tenant, update, waiting } = await earned();
  await update({ status: "paused", safetyMarginHours: 24 });
  await copyCampaign(tenant, { safetyMarginHours: 30 * 24 });
  const offers = { size: 60, expiresAt: new Date(Date.now() + 20 * DAY) };
  await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", offers);
  const empty = (await detect(tenant.ctx)).find(({ title }) => title === "The pool “ios reward” is empty");
  expect(empty?.detail).not.toContain("waiting");
  expect((await clientOf(tenant.key).claim("ann")).body.claimed_rewards).toHaveLength(2);
  expect(await waiting()).toEqual([]);
});

test("people for whom codes of another offer are under way need none, for a day", async () => {
  const { tenant, waiting } = await earned();
  const { ctx, key, pools } = tenant;
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 60, offer: "Spring" });
  await clientOf(key).claim("ann");
  const needs = [{ title: "1 person needs a second iOS offer" }];
  const request = (offerName: string, createdAt = new Date()) =>
    ctx.db.orm.insert(codeRequests).values({
      ...{ appId: ctx.app.id, id: uuidv7(), batchId: uuidv7(), poolId: pools.ios.reward, origin: "person" },
      ...{ offerType: "subscription", offerId: offerName, offerName, amount: 500, expiresOn: "2099-01-01" },
      createdAt,
    });
  await request("Spring");
  await request("Summer", new Date(Date.now() - 25 * 3_600_000));
  expect(await waiting()).toMatchObject(needs);
  await request("Summer");
  expect(await waiting()).toEqual([]);
});

test("a platform without a reward pool keeps nothing from referrers on the other one, if their own platform decides", async () => {
  const { ctx, campaignId } = await makeTenant({ codes: 0 });
  const ofCampaign = eq(campaignPlatforms.campaignId, campaignId);
  const onIos = and(ofCampaign, eq(campaignPlatforms.platform, "ios"));
  await ctx.db.orm.update(campaignPlatforms).set({ rewardPoolId: null }).where(onIos);
  const detailFor = async (rewardsOn: "friend" | "referrer") => {
    await ctx.db.orm.update(campaigns).set({ rewardsOn }).where(eq(campaigns.id, campaignId));
    return (await detect(ctx)).find(({ subject }) => subject === `${campaignId} ios reward`)?.detail;
  };
  expect(await detailFor("friend")).toBe("Choose a pool: rewards earned on iOS cannot be claimed.");
  expect(await detailFor("referrer")).toContain("on iOS can only be claimed by referrers on Android.");
});
