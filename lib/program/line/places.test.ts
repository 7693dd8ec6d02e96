import { and, asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { detect } from "@/lib/outward/problems/detect";
import { apps, campaigns, offerTakers, refereesInLine } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { overlookedPools, setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { updateBatch } from "@/lib/program/codes/update-batch";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { approveReferee, dismissReferee, listReviews } from "@/lib/program/referrals/review";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { stockOf } from "@/lib/program/stats/stock";
import { copyCampaign } from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch, type TenantOptions } from "@/lib/testing/tenant";

useService();

/** Referees in line for an empty pool, in the order of `uids`. */
async function lineOf(...uids: string[]) {
  const app = await appWith({ codes: 0 });
  for (const uid of uids) expect(await app.redeem(uid)).toBe(503);
  return app;
}

async function appWith(options: TenantOptions) {
  const { tenant, api, metacode } = await referringTenant(options);
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  const upload = (size: number) =>
    importCodes(ctx, { poolId, kind: "one_time", source: randomCodeFile("ios", size) });
  const line = async () => {
    const own = eq(refereesInLine.appId, ctx.app.id);
    const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
    return rows.map(({ refereeUid }) => refereeUid);
  };
  const join = (uid: string, otherUid: string) =>
    joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
  return { tenant, api, metacode, ctx, poolId, redeem, upload, line, join };
}

test("a person is in line once with both of their IDs, in the first place, and has the code with the one that asks", async () => {
  const { redeem, upload, line, join } = await lineOf("ann-old", "ben-old");
  await join("ann-old", "ann-new");
  expect(await redeem("ann-new")).toBe(503);
  expect(await line()).toEqual(["ann-new", "ben-old"]);
  expect(await redeem("ben-new")).toBe(503);
  await join("ben-new", "ben-old");
  expect(await line()).toEqual(["ann-new", "ben-old"]);
  expect(await upload(2)).toMatchObject({ setAside: 2 });
  // The code that is set aside moves too.
  for (const uid of ["ann-new", "ben-new"]) expect(await redeem(uid)).toBe(200);
  expect(await line()).toEqual([]);
});

test("of two joined IDs that redeem at once the second waits for the first, and the person is in line once", async () => {
  const { ctx, metacode, redeem, line, join } = await lineOf();
  await join("ann-old", "ann-new");
  const { second } = await ctx.db.transaction(async ({ orm }) => {
    await orm.execute(sql`select redeem_metacode(
      ${ctx.app.id}, ${metacode}, 'ios', 'ann-old', new_id(), null, null, null, null, null, 0, 0)`);
    const second = redeem("ann-new");
    await Promise.race([second, blockedBackends()]);
    return { second };
  });
  expect([await second, await line()]).toEqual([503, ["ann-new"]]);
});

test("a joined ID that redeems while a code is set aside for the other one gets that code, and no second place", async () => {
  const { ctx, poolId, redeem, line, join } = await lineOf("ann-old");
  await join("ann-old", "ann-new");
  const { second } = await ctx.db.transaction(async (db) => {
    await makeBatch({ ...ctx, db }, poolId, "ios", { size: 1 });
    expect(await setAside({ ...ctx, db }, poolId)).toBe(1);
    const second = redeem("ann-new");
    await Promise.race([second, blockedBackends()]);
    return { second };
  });
  expect([await second, await line()]).toEqual([503, ["ann-new"]]);
  expect([await redeem("ann-new"), await line()]).toEqual([200, []]);
});

test("a referee who joined the line while codes came is seen by the next look at the app", async () => {
  const { ctx, poolId, redeem } = await lineOf("ada", "ben");
  await makeBatch(ctx, poolId, "ios", { size: 1 });
  expect(await overlookedPools(ctx)).toEqual([poolId]);
  await setAsideOverlooked(ctx);
  expect(await overlookedPools(ctx)).toEqual([]);
  expect(await redeem("newcomer")).toBe(503);
  expect(await redeem("ada")).toBe(200);
});

test("no referee waits for a campaign that has ended, and codes that were set aside are free for another one", async () => {
  const { tenant, ctx, poolId, redeem, upload, line } = await lineOf("ada", "ben", "cem");
  await upload(1);
  const inLine = async () => (await stockOf(ctx)).find(({ id }) => id === poolId)?.inLine;
  expect(await inLine()).toBe(2);
  await endCampaign(ctx, tenant.campaignId);
  expect(await inLine()).toBe(0);
  await endPlaces(ctx);
  expect(await line()).toEqual([]);
  await copyCampaign(tenant);
  expect(await redeem("cem")).toBe(200);
});

/** An app that holds all but the first redeem of the referrer's metacode for review. */
async function reviewingApp(codes: number) {
  const app = await appWith({ codes, app: { referrerDailyCap: 1, reviewsBeyondCaps: true } });
  if (codes > 0) expect(await app.redeem("first")).toBe(200);
  const placeOf = async (uid: string) => {
    const { data } = await listReviews(app.ctx, { state: undefined, cursor: undefined });
    return data.find(({ refereeUid }) => refereeUid === uid)?.id ?? "";
  };
  const hold = async (uid: string) => {
    expect(await app.redeem(uid)).toBe(503);
    return placeOf(uid);
  };
  return { ...app, hold };
}

test("a decision about a redeem beyond a cap holds for every joined ID, whichever was joined or decided first", async () => {
  const { ctx, redeem, join, hold, line } = await reviewingApp(9);
  await dismissReferee(ctx, await hold("ada-old"));
  await join("ada-old", "ada-new");
  expect(await redeem("ada-new")).toBe(409);
  await approveReferee(ctx, await hold("ben-old"));
  await join("ben-old", "ben-new");
  expect(await redeem("ben-new")).toBe(200);
  await hold("cem-old");
  await dismissReferee(ctx, await hold("cem-new"));
  await join("cem-old", "cem-new");
  expect(await redeem("cem-old")).toBe(409);
  expect((await line()).filter((uid) => uid.startsWith("cem"))).toEqual(["cem-old"]);
  // Within the cap, too.
  await ctx.db.orm.update(apps).set({ referrerDailyCap: 100 }).where(eq(apps.id, ctx.app.id));
  for (const uid of ["ada-new", "cem-new"]) expect(await redeem(uid)).toBe(409);
  expect(await redeem("dan")).toBe(200);
});

test("a held referee joins the line once the app no longer holds redeems, and takes no place from others before", async () => {
  const { ctx, redeem, hold, upload, line } = await reviewingApp(1);
  await hold("ada");
  const change = (set: Partial<typeof apps.$inferInsert>) =>
    ctx.db.orm.update(apps).set(set).where(eq(apps.id, ctx.app.id));
  await change({ reviewsBeyondCaps: false, referrerDailyCap: 3 });
  for (const uid of ["ben", "cem", "ada"]) expect(await redeem(uid)).toBe(503);
  expect(await line()).toEqual(["ada", "ben", "cem"]);
  expect(await upload(3)).toMatchObject({ setAside: 3 });
  await change({ referrerDailyCap: 100 });
  for (const uid of ["ada", "ben", "cem"]) expect(await redeem(uid)).toBe(200);
});

test("codes are set aside only while the referrer is active, and at once when it is resumed", async () => {
  const app = await lineOf("ada", "ben");
  const { ctx, api, poolId, upload, redeem } = app;
  const { referrer_id: ann } = (await api.referrer("ann")).body;
  const honest = (await api.referrer("eve")).body.metacode;
  expect((await api.redeem("zoe", honest)).status).toBe(503);
  await updateReferrerStatus(ctx, ann, "paused");
  const inLine = async () => (await stockOf(ctx)).find(({ id }) => id === poolId)?.inLine;
  expect(await inLine()).toBe(1);
  expect(await upload(2)).toMatchObject({ setAside: 1 });
  expect((await api.redeem("zoe", honest)).status).toBe(200);
  await updateReferrerStatus(ctx, ann, "active");
  expect(await inLine()).toBe(1);
  expect([await redeem("ben"), await redeem("ada")]).toEqual([503, 200]);
});

test("a referee in line who enters another friend's metacode waits in the same place for that friend", async () => {
  const { ctx, api, line } = await lineOf("ada", "ben");
  const { metacode, referrer_id: eve } = (await api.referrer("eve")).body;
  expect((await api.redeem("ada", metacode)).status).toBe(503);
  expect(await line()).toEqual(["ada", "ben"]);
  const own = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "ada"));
  expect(await ctx.db.orm.select().from(refereesInLine).where(own)).toMatchObject([{ referrerId: eve }]);
});

test("the line of a campaign with a smaller safety margin does not wait for that of another one", async () => {
  const { tenant, ctx, poolId } = await lineOf("ada");
  const next = await copyCampaign(tenant, { type: "influencer", safetyMarginHours: 0 });
  await ctx.db.orm
    .update(campaigns)
    .set({ safetyMarginHours: 240 })
    .where(eq(campaigns.id, tenant.campaignId));
  const [place] = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
  if (!place) throw new Error("the line is empty");
  await ctx.db.orm.insert(refereesInLine).values({ ...place, campaignId: next, place: uuidv7() });
  await makeBatch(ctx, poolId, "ios", { size: 1, expiresAt: new Date(Date.now() + 5 * DAY_MS) });
  expect(await setAside(ctx, poolId)).toBe(1);
});

test("codes that an edit of their batch or their pool makes usable are set aside at once", async () => {
  const { ctx, poolId, redeem } = await lineOf("ada");
  const soon = new Date(Date.now() + DAY_MS);
  const batchId = await makeBatch(ctx, poolId, "ios", { size: 1, expiresAt: soon });
  expect(await setAside(ctx, poolId)).toBe(0);
  await updateBatch(ctx, { batchId, expiresAt: new Date(Date.now() + 60 * DAY_MS) });
  expect([await redeem("late"), await redeem("ada")]).toEqual([503, 200]);
});

test("referees who have had the pool's only offer are a problem of their own", async () => {
  const { tenant, ctx, api, metacode, poolId, redeem } = await lineOf("ada", "ben", "cem");
  const { metacode: paused, referrer_id: eve } = (await api.referrer("eve")).body;
  expect((await api.redeem("dan", paused)).status).toBe(503);
  const taken = { appId: ctx.app.id, platform: "ios", offer: "Spring" } as const;
  await ctx.db.orm.insert(offerTakers).values(["ada", "cem", "dan"].map((uid) => ({ ...taken, uid })));
  await makeBatch(ctx, poolId, "ios", { size: 40, offer: "Spring" });
  await setAside(ctx, poolId);
  expect(await redeem("ben")).toBe(200);
  // Neither waits: one has a code of the other platform, and a paused referrer brings none.
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("cem", metacode, "android")).status).toBe(200);
  await updateReferrerStatus(ctx, eve, "paused");
  expect(await overlookedPools(ctx)).toEqual([]);
  const missing = async () => (await detect(ctx)).filter(({ subject }) => subject.endsWith(" offer"));
  expect(await missing()).toMatchObject([
    {
      kind: "pool_low",
      subject: `${poolId} offer`,
      severity: "critical",
      title: "1 person in line needs a second iOS offer",
    },
  ]);
  await makeBatch(ctx, poolId, "ios", { size: 5, offer: "Summer" });
  expect(await overlookedPools(ctx)).toEqual([poolId]);
  await setAside(ctx, poolId);
  expect(await missing()).toEqual([]);
});

test("a place of a referee who has a code by now leaves room for another friend of the referrer", async () => {
  const { tenant, ctx, api, metacode, redeem, line } = await appWith({
    codes: 0,
    app: { referrerDailyCap: 2 },
  });
  for (const uid of ["ada", "ben", "late"]) expect(await redeem(uid)).toBe(503);
  expect(await line()).toEqual(["ada", "ben"]);
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("ada", metacode, "android")).status).toBe(200);
  expect([await redeem("cem"), await redeem("dan")]).toEqual([503, 503]);
  expect(await line()).toEqual(["ada", "ben", "cem"]);
});
