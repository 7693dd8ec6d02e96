import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { batches, codes, offerTakers, refereesInLine } from "@/lib/platform/db/schema";
import { pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { getCampaign } from "@/lib/program/campaigns/read";
import { rulesOf } from "@/lib/program/campaigns/rules";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { quarantineBatch } from "@/lib/program/codes/batch-state";
import { updateBatch } from "@/lib/program/codes/update-batch";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { updateCampaign } from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { APPS_WITH_ENDED_PLACES, endPlaces, renewReservations, setAside, takeExpiringBack } from "./line";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Referees in line for an empty pool, in the order of `uids`, and helpers. */
async function lineOf(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  const poolId = tenant.pools.ios.referee;
  const own = eq(refereesInLine.appId, ctx.app.id);
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  const places = () => ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
  const line = async () => (await places()).map(({ refereeUid }) => refereeUid);
  const reserved = async () => (await places()).flatMap((place) => (place.codeId ? [place.refereeUid] : []));
  /** A batch of one code, which is set aside if a referee waits for it. */
  const add = async (expiresAt = inDays(60)) => {
    const batchId = await makeBatch(ctx, poolId, "ios", { size: 1, expiresAt });
    await setAside(ctx, poolId);
    return batchId;
  };
  const expire = (id: string, expiresAt: Date) =>
    ctx.db.orm.update(batches).set({ expiresAt }).where(eq(batches.id, id));
  /** Makes all places this many hours old. */
  const age = (hours: number) =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ createdAt: sql`now() - make_interval(hours => ${hours})` })
      .where(own);
  /** Leaves this many hours to the codes that are set aside. */
  const leave = (hours: number) =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now() + make_interval(hours => ${hours})` })
      .where(and(own, isNotNull(refereesInLine.codeId)));
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  return { tenant, ctx, api, poolId, redeem, places, line, reserved, add, expire, age, leave };
}

test("a code that is set aside is found after the campaign left its platform and came back to it", async () => {
  const { tenant, ctx, redeem, add, reserved } = await lineOf("ada");
  await add();
  const { platforms, ...rules } = rulesOf(await getCampaign(ctx, tenant.campaignId));
  const update = (changed: typeof platforms) =>
    updateCampaign(ctx, tenant.campaignId, { ...rules, platforms: changed });
  await update({ android: platforms.android });
  expect(await redeem("ada")).toBe(503);
  await update(platforms);
  expect(await reserved()).toEqual(["ada"]);
  expect(await redeem("ben")).toBe(503);
  expect(await redeem("ada")).toBe(200);
});

test("a code that is set aside for a referee who got one of the other store goes to the next at the next look", async () => {
  const { tenant, ctx, api, add, reserved } = await lineOf("ada", "ben");
  await add();
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("ada", (await api.referrer("ann")).body.metacode, "android")).status).toBe(200);
  await setAsideOverlooked(ctx);
  const { rows } = await ctx.db.orm.execute(APPS_WITH_ENDED_PLACES);
  expect(rows).toContainEqual({ app_id: ctx.app.id });
  await endPlaces(ctx);
  expect(await reserved()).toEqual(["ben"]);
});

test("a code that is set aside on the last of the 30 days stays so for its 48 hours", async () => {
  const { ctx, redeem, add, line, age, leave } = await lineOf("ada", "ben");
  await age(30 * 24 - 1);
  await add();
  await age(30 * 24 + 1);
  await endPlaces(ctx);
  expect(await line()).toEqual(["ada"]);
  expect([await redeem("cem"), await redeem("ada")]).toEqual([503, 200]);
  await add();
  await age(30 * 24 + 1);
  await leave(0);
  await endPlaces(ctx);
  expect(await line()).toEqual([]);
});

test.each(["campaign", "referrer"])(
  "the first in line keep their places while the %s is paused",
  async (paused) => {
    const { tenant, ctx, api, redeem, add, line, places, leave } = await lineOf("ada", "ben");
    const { referrer_id: ann } = (await api.referrer("ann")).body;
    const [pause, resume] =
      paused === "campaign"
        ? [() => pauseCampaign(ctx, tenant.campaignId), () => resumeCampaign(ctx, tenant.campaignId)]
        : [() => updateReferrerStatus(ctx, ann, "paused"), () => updateReferrerStatus(ctx, ann, "active")];
    await add();
    await pause();
    await leave(0);
    await endPlaces(ctx);
    expect(await line()).toEqual(["ada", "ben"]);
    await resume();
    expect([await redeem("ben"), await redeem("ada")]).toEqual([503, 200]);
    // The 48 hours of a code that is still set aside begin again, but not for an erased referee.
    await add();
    await pause();
    await leave(1);
    await resume();
    const [ben] = await places();
    expect(Number(ben?.reservedUntil) - Date.now()).toBeGreaterThan(1.9 * DAY_MS);
    await pause();
    await eraseEndUser(ctx, "ben");
    await resume();
    await endPlaces(ctx);
    expect(await line()).toEqual([]);
  },
);

test("codes that an edit makes unusable are taken back, and others are set aside", async () => {
  const { tenant, ctx, redeem, add, expire, line, reserved, leave } = await lineOf("ada");
  await updateBatch(ctx, { batchId: await add(), expiresAt: inDays(0.5) });
  const batchId = await add();
  expect(await reserved()).toEqual(["ada"]);
  expect(await redeem("ben")).toBe(503);
  const { referee: refereePoolId, reward: rewardPoolId } = tenant.pools.ios;
  const margin = (safetyMarginHours: number) =>
    updateCampaign(ctx, tenant.campaignId, {
      name: "Launch",
      safetyMarginHours,
      platforms: { ios: { threshold: 3, refereePoolId, rewardPoolId } },
    });
  await margin(61 * 24);
  expect(await reserved()).toEqual([]);
  // The batch that had no free code is open again.
  await margin(24);
  expect(await reserved()).toEqual(["ada"]);
  // A code that cannot be assigned at the end of the 48 hours does not end the place.
  await expire(batchId, inDays(0.5));
  expect(await redeem("ada")).toBe(503);
  await leave(0);
  await endPlaces(ctx);
  expect(await line()).toEqual(["ada", "ben"]);
});

test("the codes of a long line are kept for longer and taken back in parts", async () => {
  const { tenant, ctx, poolId, places, leave } = await lineOf("ada");
  const [first] = await places();
  const { appId = "", campaignId = "", referrerId = "" } = first ?? {};
  const batchId = await makeBatch(ctx, poolId, "ios", { size: 220, expiresAt: inDays(60) });
  await ctx.db.orm.execute(sql`
    with reserved as (
      update codes set status = 'reserved' where app_id = ${appId} and batch_id = ${batchId} returning id)
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, code_id, reserved_until)
    select ${appId}, ${campaignId}, id::text, 'ios', ${referrerId}, gen_random_uuid(), id, now() from reserved`);
  await leave(1);
  const renewing = await statementsOf(() => renewReservations(ctx, { campaign: campaignId }));
  expect(renewing.filter((text) => text.includes("renew_reservations("))).toHaveLength(3);
  const hours = (await places()).map(({ reservedUntil }) => Number(reservedUntil) - Date.now());
  expect(Math.min(...hours.filter((ms) => ms > 0))).toBeGreaterThan(1.9 * DAY_MS);
  await ctx.db.orm
    .update(batches)
    .set({ expiresAt: inDays(0.5) })
    .where(eq(batches.id, batchId));
  const taking = await statementsOf(() => takeExpiringBack(ctx, null));
  expect(taking.filter((text) => text.includes("take_back("))).toHaveLength(3);
  expect((await places()).filter(({ codeId }) => codeId)).toEqual([]);
  const own = and(eq(codes.appId, tenant.ctx.app.id), eq(codes.batchId, batchId));
  expect(await ctx.db.orm.$count(codes, and(own, eq(codes.status, "available")))).toBe(220);
});

test("a batch that is withdrawn while its codes are being set aside keeps none of them", async () => {
  const { ctx, poolId, places } = await lineOf("ada");
  const batchId = await makeBatch(ctx, poolId, "ios", { size: 1 });
  const { ended } = await ctx.db.transaction(async (db) => {
    expect(await setAside({ ...ctx, db }, poolId)).toBe(1);
    const withdrawn = quarantineBatch(ctx, batchId);
    await Promise.race([withdrawn, blockedBackends()]);
    return { ended: withdrawn };
  });
  await ended;
  expect(await places()).toMatchObject([{ refereeUid: "ada", codeId: null }]);
  const next = await makeBatch(ctx, poolId, "ios", { size: 1 });
  const count = await ctx.db.transaction(async (db) => {
    await db.orm
      .select()
      .from(batches)
      .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, next)))
      .for("update");
    return setAside(ctx, poolId);
  });
  expect(count).toBe(0);
});

test("no referee behind overtakes the first in line while the batch for them is being edited", async () => {
  const { ctx, poolId, reserved } = await lineOf("ada", "ben");
  await ctx.db.orm
    .insert(offerTakers)
    .values({ appId: ctx.app.id, platform: "ios", offer: "spring", uid: "ada" });
  await makeBatch(ctx, poolId, "ios", { size: 1, offer: "spring" });
  const summer = await makeBatch(ctx, poolId, "ios", { size: 1, offer: "summer" });
  await ctx.db.transaction(async (db) => {
    await db.orm
      .select()
      .from(batches)
      .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, summer)))
      .for("update");
    expect(await setAside(ctx, poolId)).toBe(0);
  });
  expect(await setAside(ctx, poolId)).toBe(2);
  expect(await reserved()).toEqual(["ada", "ben"]);
});

test("of two transactions that bring codes at once, the second sets codes aside for those whom the first leaves", async () => {
  const { ctx, poolId, reserved } = await lineOf("ada", "ben", "cem");
  const { second } = await ctx.db.transaction(async (db) => {
    await makeBatch(ctx, poolId, "ios", { size: 1 });
    expect(await setAside({ ...ctx, db }, poolId)).toBe(1);
    await makeBatch(ctx, poolId, "ios", { size: 5 });
    const second = setAside(ctx, poolId);
    await Promise.race([second, blockedBackends()]);
    return { second };
  });
  expect(await second).toBe(2);
  expect(await reserved()).toEqual(["ada", "ben", "cem"]);
});

test("a redeem that marks a batch as empty does not keep the codes of another one from the line", async () => {
  const { ctx, poolId, reserved } = await lineOf("ada");
  const empty = await makeBatch(ctx, poolId, "ios", { size: 0, expiresAt: inDays(30) });
  await makeBatch(ctx, poolId, "ios", { size: 1 });
  const of = { app: ctx.app.id, pool: poolId, batch: empty };
  await ctx.db.transaction(async ({ orm }) => {
    await orm.execute(sql`select mark_drained(${of.app}, ${of.pool}, ${of.batch})`);
    expect(await setAside(ctx, poolId)).toBe(1);
  });
  expect(await reserved()).toEqual(["ada"]);
});
