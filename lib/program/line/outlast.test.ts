import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { LOOK_S, watchApp } from "@/lib/outward/problems/watch";
import { batches, campaigns, codes, offerTakers, refereesInLine } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { getCampaign } from "@/lib/program/campaigns/read";
import { rulesOf } from "@/lib/program/campaigns/rules";
import { overlookedPools, setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { quarantineBatch, undoBatch } from "@/lib/program/codes/batch-state";
import { copyCampaign, updateCampaign } from "@/lib/testing/campaigns";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { APPS_WITH_ENDED_PLACES, countInLine, endPlaces, setAside } from "./line";

useService();

/** Referees in line for an empty pool of a platform, in the order of `uids`, and helpers. */
async function lineOf(uids: string[], platform: "ios" | "android" = "ios") {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  const poolId = tenant.pools[platform].referee;
  const own = eq(refereesInLine.appId, ctx.app.id);
  const redeem = async (uid: string) => (await api.redeem(uid, metacode, platform)).status;
  const rows = () => ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
  const places = async () =>
    (await rows()).map(({ refereeUid, codeId }) => refereeUid + (codeId ? " has a code" : ""));
  /** A batch whose codes are set aside for those in line; returns its id. */
  const add = async (size: number, options: { offer?: string; kind?: "custom" } = {}) => {
    const batchId = await makeBatch(ctx, poolId, platform, { size, ...options });
    await setAside(ctx, poolId);
    return batchId;
  };
  /** Lets the 48 hours of each code that is set aside end now. */
  const pass = () =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, isNotNull(refereesInLine.codeId)));
  /** A check of the app, and the round that ends places if it has something to end. */
  const check = async () => {
    await setAsideOverlooked(ctx);
    const ended = await ctx.db.orm.execute<{ app_id: string }>(APPS_WITH_ENDED_PLACES);
    if (ended.rows.some(({ app_id }) => app_id === ctx.app.id)) await endPlaces(ctx);
  };
  /** Stores that the end user has had a code of the offer, as from a claimed reward. */
  const takeOffer = (uid: string, offer: string) =>
    ctx.db.orm.insert(offerTakers).values({ appId: ctx.app.id, platform, offer, uid });
  const free = () =>
    ctx.db.orm.$count(codes, and(eq(codes.appId, ctx.app.id), eq(codes.status, "available")));
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  return { tenant, ctx, poolId, redeem, rows, places, add, pass, check, takeOffer, free };
}

test("a place outlasts a code of an offer that its referee has had since, which the store would refuse", async () => {
  const { ctx, redeem, places, add, pass, takeOffer } = await lineOf(["ada", "ben"]);
  await add(1, { offer: "spring" });
  await takeOffer("ada", "spring");
  expect(await redeem("ada")).toBe(503);
  await pass();
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada", "ben has a code"]);
});

test("a code of an offer that its referee has had since is free after the next check, and another one is set aside", async () => {
  const { redeem, places, add, check, takeOffer, free } = await lineOf(["ada"]);
  await add(1, { offer: "spring" });
  await takeOffer("ada", "spring");
  await check();
  expect([await places(), await free()]).toEqual([["ada"], 1]);
  await add(1, { offer: "summer" });
  await check();
  expect([await places(), await redeem("ada")]).toEqual([["ada has a code"], 200]);
});

test("a code that falls within the safety margin during the 48 hours is free after the next check, and another one is set aside", async () => {
  const { ctx, redeem, places, add, check } = await lineOf(["ada"]);
  const batchId = await add(1);
  const expiresAt = new Date(Date.now() + DAY_MS / 2);
  await ctx.db.orm.update(batches).set({ expiresAt }).where(eq(batches.id, batchId));
  await check();
  expect(await places()).toEqual(["ada"]);
  await add(1);
  expect([await places(), await redeem("ben"), await redeem("ada")]).toEqual([["ada has a code"], 503, 200]);
});

test("an app is looked at when codes that are set aside fall within their campaign's safety margin, and once more soon after", async () => {
  const { tenant, ctx, add } = await lineOf(["ada"]);
  await copyCampaign(tenant, { type: "influencer", safetyMarginHours: 240 });
  const batchId = await add(1);
  for (const [seconds, least, most] of [
    [3_600, 3_540, 3_600],
    [-30, 60, 60],
    [-90, LOOK_S, LOOK_S],
  ] as const) {
    const expiresAt = new Date(Date.now() + DAY_MS + seconds * 1_000);
    await ctx.db.orm.update(batches).set({ expiresAt }).where(eq(batches.id, batchId));
    // The first call starts alerts, which schedule a check soon, too.
    await watchApp(ctx);
    const next = await watchApp(ctx);
    expect(next).toBeGreaterThanOrEqual(least);
    expect(next).toBeLessThanOrEqual(most);
  }
});

test("where a pool repeats offers a second code of one stays set aside, but a custom code does not", async () => {
  for (const [options, status] of [
    [{ offer: "spring" }, 200],
    [{ offer: "spring", kind: "custom" }, 503],
  ] as const) {
    const { ctx, redeem, places, add, pass, check, takeOffer } = await lineOf(["ada"], "android");
    await add(1, options);
    await takeOffer("ada", "spring");
    await check();
    expect(await places()).toEqual([status === 200 ? "ada has a code" : "ada"]);
    expect(await redeem("ada")).toBe(status);
    await pass();
    await endPlaces(ctx);
    expect(await places()).toEqual(status === 200 ? [] : ["ada"]);
  }
});

test("a referee who has had a custom code since another one of it was set aside is not assigned the same text again", async () => {
  const { redeem, places, add, takeOffer } = await lineOf(["ada"], "android");
  await add(1, { offer: "spring", kind: "custom" });
  await takeOffer("ada", "spring");
  expect([await redeem("ada"), await places()]).toEqual([503, ["ada has a code"]]);
});

test("no code is set aside for a place that is 30 days old, also before a round ends it", async () => {
  const { ctx, rows, places, add } = await lineOf(["ada", "ben"]);
  const [ada] = await rows();
  await ctx.db.orm
    .update(refereesInLine)
    .set({ createdAt: sql`now() - interval '30 days'` })
    .where(eq(refereesInLine.place, ada?.place ?? ""));
  await add(1);
  expect(await places()).toEqual(["ada", "ben has a code"]);
});

test("a referee who redeems again after the 30 days, before a round ends the place, is in line again", async () => {
  const { ctx, rows, redeem, places, add } = await lineOf(["ada", "ben"]);
  const [ada] = await rows();
  await ctx.db.orm
    .update(refereesInLine)
    .set({ createdAt: sql`now() - interval '30 days'` })
    .where(eq(refereesInLine.place, ada?.place ?? ""));
  expect(await redeem("ada")).toBe(503);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ben", "ada"]);
  await add(2);
  expect(await redeem("ada")).toBe(200);
});

test("a place whose 48 hours were for a code that its referee could redeem ends", async () => {
  const { ctx, places, add, pass, takeOffer } = await lineOf(["ada", "ben"]);
  await add(1, { offer: "spring" });
  await takeOffer("ada", "summer");
  await pass();
  await endPlaces(ctx);
  expect(await places()).toEqual(["ben has a code"]);
});

test("a place outlasts a code that is set aside on a platform which the campaign has left", async () => {
  const { tenant, ctx, redeem, places, add, pass } = await lineOf(["ada"]);
  await add(1);
  const { platforms, ...rules } = rulesOf(await getCampaign(ctx, tenant.campaignId));
  await updateCampaign(ctx, tenant.campaignId, { ...rules, platforms: { android: platforms.android } });
  await pass();
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada"]);
  await updateCampaign(ctx, tenant.campaignId, { ...rules, platforms });
  expect([await places(), await redeem("ben"), await redeem("ada")]).toEqual([["ada has a code"], 503, 200]);
});

test.each([
  ["quarantined", quarantineBatch],
  ["undone", undoBatch],
])(
  "a code whose place is locked while its batch is %s is not assigned, goes back at the next check, and the place stays",
  async (_, withdraw) => {
    for (const checked of [true, false]) {
      const { ctx, redeem, rows, places, add, pass, check } = await lineOf(["ada"]);
      const batchId = await add(1);
      await ctx.db.transaction(async ({ orm }) => {
        // As a check does.
        await orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id)).for("update");
        await withdraw(ctx, batchId);
      });
      expect([await redeem("ada"), await places()]).toEqual([503, ["ada has a code"]]);
      if (checked) await check();
      else await pass().then(() => endPlaces(ctx));
      expect(await rows()).toMatchObject([{ refereeUid: "ada", codeId: null }]);
      await add(1);
      expect(await places()).toEqual(["ada has a code"]);
    }
  },
);

test("a code that was being set aside while its campaign ended is free after the next check, and no one waits", async () => {
  const { tenant, ctx, poolId, places, check, free } = await lineOf(["ada", "ben"]);
  await ctx.db.transaction(async (db) => {
    await makeBatch({ ...ctx, db }, poolId, "ios", { size: 1 });
    expect(await setAside({ ...ctx, db }, poolId)).toBe(1);
    await endCampaign(ctx, tenant.campaignId);
  });
  expect(await places()).toEqual(["ada has a code", "ben"]);
  expect([...(await countInLine(ctx))]).toEqual([]);
  await check();
  expect([await places(), await free()]).toEqual([[], 1]);
});

test("a referee who has had the only offer does not keep it from the line of a campaign with a smaller safety margin", async () => {
  const { tenant, ctx, poolId, rows, takeOffer } = await lineOf(["ada"]);
  const next = await copyCampaign(tenant, { type: "influencer", safetyMarginHours: 0 });
  await ctx.db.orm
    .update(campaigns)
    .set({ safetyMarginHours: 240 })
    .where(eq(campaigns.id, tenant.campaignId));
  const [place] = await rows();
  if (!place) throw new Error("the line is empty");
  const behind = ["ben", "cem"].map((refereeUid) => ({
    ...place,
    campaignId: next,
    refereeUid,
    place: uuidv7(),
  }));
  await ctx.db.orm.insert(refereesInLine).values(behind);
  await takeOffer("ada", "spring");
  const soon = new Date(Date.now() + 5 * DAY_MS);
  await makeBatch(ctx, poolId, "ios", { size: 2, offer: "spring", expiresAt: soon });
  expect(await overlookedPools(ctx)).toEqual([poolId]);
  expect(await setAside(ctx, poolId)).toBe(2);
  expect(await overlookedPools(ctx)).toEqual([]);
});
