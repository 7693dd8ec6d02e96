import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import {
  batches,
  campaignPlatforms,
  campaigns,
  codeRequests,
  offerTakers,
  pools as poolRows,
  storeOffers,
} from "@/lib/platform/db/schema";
import { getPool } from "@/lib/program/pools/get";
import { updatePool } from "@/lib/program/pools/pools";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { setPool } from "@/lib/testing/problems";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { listRefillRules } from "./overview";
import { refillPools } from "./refill";
import { updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

test("a reward that waits for another offer gets it from the refill, however many codes of the others are free", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, key } = tenant;
  const api = clientOf(key);
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 40, offer: "One month free" });
  await earnRewards(tenant, "ann", 3);
  expect((await api.claim("ann")).body.message).toContain("1 reward, 2 more are waiting");
  const empty = await api.claim("ann");
  expect([empty.status, empty.headers.get("retry-after")]).toEqual([503, "3600"]);
  expect((await api.referrer("ann")).body.stats).toMatchObject({ rewards_available: 2, rewards_waiting: 2 });
  await updateRefillRule(ctx, {
    ...{ poolId: pools.ios.reward, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  const spent = (spentRewards: number) =>
    ctx.db.orm
      .update(campaigns)
      .set({ rewardBudget: 5, spentRewards })
      .where(eq(campaigns.id, tenant.campaignId));
  await spent(5);
  await refillPools(ctx);
  expect(await tenant.requests()).toEqual([]);
  await spent(1);
  await refillPools(ctx);
  await refillPools(ctx);
  expect(await tenant.requests()).toMatchObject([
    { origin: "refill", offerName: "Half a year", state: "asked" },
  ]);
  expect(Number((await api.claim("ann")).headers.get("retry-after"))).toBeLessThanOrEqual(300);
  await workOff(codeRequestQueue(database(), tenant.work));
  await refillPools(ctx);
  expect((await api.referrer("ann")).body.stats).toMatchObject({ rewards_available: 2, rewards_waiting: 1 });
  expect((await api.claim("ann")).body.message).toContain("1 reward, 1 more is waiting");
  // She has had every offer of the rule now.
  await refillPools(ctx);
  expect((await api.claim("ann")).headers.get("retry-after")).toBe("3600");
  expect(await tenant.requests()).toHaveLength(1);
});

test("a refill of one offer requests it for people who have had the offers that were imported into its pool", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, key } = tenant;
  const api = clientOf(key);
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 40, offer: "From a file" });
  await earnRewards(tenant, "ann", 2);
  expect((await api.claim("ann")).status).toBe(200);
  const poolId = pools.ios.reward;
  const rule = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  await updateRefillRule(ctx, { ...rule, offer: "subscription:offer1" });
  expect((await api.claim("ann")).headers.get("retry-after")).toBe("300");
  await refillPools(ctx);
  expect(await tenant.requests()).toMatchObject([{ origin: "refill", offerName: "One month free" }]);
  await workOff(codeRequestQueue(database(), tenant.work));
  expect((await api.claim("ann")).status).toBe(200);
});

test("an offer whose name has spaces around it at the store is requested once, because its batches have none", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, key } = tenant;
  const api = clientOf(key);
  const name = `  ${"One year of all ".repeat(6)}`;
  await ctx.db.orm.update(storeOffers).set({ name }).where(eq(storeOffers.id, "offer3"));
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 40, offer: "One month free" });
  await earnRewards(tenant, "ann", 3);
  expect((await api.claim("ann")).status).toBe(200);
  await updateRefillRule(ctx, {
    ...{ poolId: pools.ios.reward, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  await refillPools(ctx);
  await workOff(codeRequestQueue(database(), tenant.work));
  expect((await api.claim("ann")).status).toBe(200);
  // She has had both, so no refill brings her a code.
  expect((await api.claim("ann")).headers.get("retry-after")).toBe("3600");
  await refillPools(ctx);
  expect(await tenant.requests()).toHaveLength(1);
  const offers = (await ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id))).flatMap(
    ({ origin, offer }) => (origin === "App Store Connect" ? [offer] : []),
  );
  expect(offers).toEqual([name.trim().slice(0, 80).trim()]);
  const [pool] = await ctx.db.orm.select().from(poolRows).where(eq(poolRows.id, pools.ios.reward));
  expect(pool?.offers.slice(0, 2)).toEqual(["One month free", ...offers]);
});

test("the expected time of codes is not before the next try of a request, and a member's hour once it is a day old", async () => {
  const tenant = await makeAppleTenant(apple);
  await tenant.request();
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  const retryAfter = async (createdAt: string, dueAt: string) => {
    await tenant.ctx.db.orm
      .update(codeRequests)
      .set({ createdAt: sql`now() + ${createdAt}::interval`, dueAt: sql`now() + ${dueAt}::interval` })
      .where(eq(codeRequests.appId, tenant.ctx.app.id));
    return Number((await api.redeem("ben", metacode)).headers.get("retry-after"));
  };
  expect(await retryAfter("-1 minute", "0")).toBeLessThanOrEqual(240);
  expect(await retryAfter("-3 hours", "-1 minute")).toBe(60);
  expect(await retryAfter("-3 hours", "30 minutes")).toBeGreaterThan(1_700);
  expect(await retryAfter("-25 hours", "-1 minute")).toBe(3_600);
});

test("a reward on a phone without a pool of its own waits for an offer of the pool that pays it instead", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, campaignId, key } = tenant;
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 40, offer: "One month free" });
  await ctx.db.orm.update(campaigns).set({ rewardsOn: "referrer" }).where(eq(campaigns.id, campaignId));
  await ctx.db.orm
    .update(campaignPlatforms)
    .set({ rewardPoolId: null })
    .where(and(eq(campaignPlatforms.campaignId, campaignId), eq(campaignPlatforms.platform, "android")));
  await earnRewards(tenant, "ann", 2);
  const claim = () => clientOf(key).claim("ann", {}, { platform: "android" });
  expect([(await claim()).status, (await claim()).status]).toEqual([200, 503]);
  await updateRefillRule(ctx, {
    ...{ poolId: pools.ios.reward, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  await refillPools(ctx);
  expect(await tenant.requests()).toMatchObject([{ offerName: "Half a year" }]);
});

test("people in line who have a code by now, whose referrer is paused, or whose campaign has spent its budget, need no other offer", async () => {
  const { ctx, pools, key, requests, campaignId } = await makeAppleTenant(apple);
  const api = clientOf(key);
  const { metacode, referrer_id: ann } = (await api.referrer("ann")).body;
  for (const uid of ["ada", "ben"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
  const offer = "One month free";
  const taken = { appId: ctx.app.id, platform: "ios", offer } as const;
  await ctx.db.orm.insert(offerTakers).values(["ada", "ben"].map((uid) => ({ ...taken, uid })));
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 40, offer });
  await updateRefillRule(ctx, {
    ...{ poolId: pools.ios.referee, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  await makeBatch(ctx, pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("ada", metacode, "android")).status).toBe(200);
  await updateReferrerStatus(ctx, ann, "paused");
  await refillPools(ctx);
  expect(await requests()).toEqual([]);
  await updateReferrerStatus(ctx, ann, "active");
  const spend = (codeBudget: number) =>
    ctx.db.orm.update(campaigns).set({ codeBudget, spentCodes: 1 }).where(eq(campaigns.id, campaignId));
  await spend(1);
  await refillPools(ctx);
  expect(await requests()).toEqual([]);
  await spend(2);
  await refillPools(ctx);
  expect(await requests()).toMatchObject([{ offerName: "Half a year" }]);
});

test("codes that would be within the safety margin at once are not requested, and the rule says why", async () => {
  const { ctx, campaignId, poolId, requests } = await makeAppleTenant(apple);
  const margin = (safetyMarginHours: number) =>
    ctx.db.orm.update(campaigns).set({ safetyMarginHours }).where(eq(campaigns.id, campaignId));
  const rule = { poolId, offer: "subscription:offer1", threshold: 5, amount: 20, quarterCap: 50 };
  await margin(720);
  await expect(updateRefillRule(ctx, { ...rule, validDays: 31 })).rejects.toMatchObject({
    ...{ code: "VALIDATION_ERROR", field: "validDays" },
    message: expect.stringContaining("at least 32"),
  });
  await updateRefillRule(ctx, { ...rule, validDays: 32 });
  await margin(33 * 24);
  await refillPools(ctx);
  expect(await requests()).toEqual([]);
  expect(await listRefillRules(ctx)).toMatchObject([
    { stopped: "margin", stoppedBecause: expect.stringContaining("the safety margin of 792 hours") },
  ]);
  await margin(720);
  await refillPools(ctx);
  expect(await requests()).toMatchObject([{ state: "asked" }]);
  expect(await listRefillRules(ctx)).toMatchObject([{ stopped: null }]);
});

test("an offer that is not active is refused with the field that names it, and with its name", async () => {
  const { ctx, poolId } = await makeAppleTenant(apple);
  const numbers = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  for (const [field, offer, ...laterOffers] of [
    ["offer", "subscription:offer2"],
    ["laterOffers", "subscription:offer1", "subscription:offer2"],
  ] as const) {
    await expect(updateRefillRule(ctx, { ...numbers, offer, laterOffers })).rejects.toMatchObject({
      ...{ code: "VALIDATION_ERROR", field },
      message: expect.stringMatching(/^“.+” is inactive in the store$/),
    });
  }
});

test("the offers of a refill push the last former ones out of the pool's order, which its form can still save", async () => {
  const { ctx, poolId } = await makeAppleTenant(apple);
  const former = Array.from({ length: 20 }, (_, place) => `Former ${place}`);
  await setPool(ctx, poolId, { offers: former });
  await updateRefillRule(ctx, {
    ...{ poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  const pool = await getPool(ctx, poolId);
  expect(pool.offers).toEqual(["One month free", "Half a year", ...former.slice(0, 18)]);
  await updatePool(ctx, { ...pool, poolId });
});
