import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { batches, dailyStats } from "@/lib/platform/db/schema";
import { activateCampaign, endCampaign, pauseCampaign } from "@/lib/program/campaigns/lifecycle";
import { quarantineBatch, undoBatch } from "@/lib/program/codes/batch-state";
import { setAside } from "@/lib/program/line/line";
import { paceOf } from "@/lib/program/stats/pool-usage";
import { batchStock, stockOf } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { rollUpNow } from "@/lib/testing/daily-figures";
import { setPool } from "@/lib/testing/problems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const DAY = 86_400_000;

async function tenantWithCodes(
  codes = 20,
): Promise<Tenant & { assignCodes(count: number): Promise<unknown> }> {
  const tenant = await makeTenant({ codes, threshold: 100 });
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  return { ...tenant, assignCodes: (count) => refer(tenant, metacode, count) };
}

async function poolOf(ctx: Context, id: string) {
  const pool = (await stockOf(ctx)).find((row) => row.id === id);
  if (!pool) throw new Error("no such pool");
  return pool;
}

test("a redemption is in the stock at once, and still once when it is rolled up", async () => {
  const { ctx, pools, assignCodes } = await tenantWithCodes();
  await assignCodes(5);
  const expected = { size: 20, assigned: 5, confirmed: 5, free: 15 };
  expect(await poolOf(ctx, pools.ios.referee)).toMatchObject(expected);
  await rollUpNow(ctx.app.id);
  expect(await poolOf(ctx, pools.ios.referee)).toMatchObject({ ...expected, perDay: 5 });
  expect(await poolOf(ctx, pools.ios.reward)).toMatchObject({
    size: 20,
    assigned: 0,
    free: 20,
    daysLeft: null,
  });
});

test("codes set aside, taken back and expired are not free", async () => {
  const { ctx } = await tenantWithCodes();
  const pool = await makePool(ctx, "ios", "referee", 5);
  const aside = await makeBatch(ctx, pool, "ios", { size: 4 });
  const back = await makeBatch(ctx, pool, "ios", { size: 3 });
  await makeBatch(ctx, pool, "ios", { size: 2, expiresAt: new Date(Date.now() - 1_000) });
  await quarantineBatch(ctx, aside);
  await undoBatch(ctx, back);
  expect(await poolOf(ctx, pool)).toMatchObject({
    size: 11,
    assigned: 0,
    free: 5,
    quarantined: 4,
    expired: 2,
  });
});

test("a batch within the campaign's safety margin does not count as stock, and the next to expire is named", async () => {
  const { ctx, pools } = await tenantWithCodes(1);
  const at = new Date(Date.now() + 10 * DAY);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, expiresAt: new Date(Date.now() + 3_600_000) });
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 7, expiresAt: at });
  const pool = await poolOf(ctx, pools.ios.referee);
  expect(pool).toMatchObject({ free: 8, expired: 5, nextExpiry: { at, codes: 7 } });
});

test("the margin is the longest of the active campaigns; without one, of those that may become active", async () => {
  const tenant = await tenantWithCodes(1);
  const { ctx, pools, campaignId } = tenant;
  const poolId = pools.ios.referee;
  await makeBatch(ctx, poolId, "ios", { size: 5, expiresAt: new Date(Date.now() + 10 * DAY) });
  const next = { type: "influencer", status: "draft", safetyMarginHours: 11 * 24 } as const;
  const id = await copyCampaign(tenant, next);
  const usable = async () => (await poolOf(ctx, poolId)).free - 1;
  expect(await usable()).toBe(5);
  await activateCampaign(ctx, id);
  expect(await usable()).toBe(0);
  await endCampaign(ctx, id);
  expect(await usable()).toBe(5);
  await pauseCampaign(ctx, campaignId);
  expect(await usable()).toBe(5);
  await endCampaign(ctx, campaignId);
  expect(await usable()).toBe(0);
});

test("codes that expire before their turn do not lengthen the days", async () => {
  const { ctx, pools, assignCodes } = await tenantWithCodes(5);
  await assignCodes(5);
  await rollUpNow(ctx.app.id);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 500, expiresAt: new Date(Date.now() + 3 * DAY) });
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 10 });
  // 5 a day: two days (three less the margin of one) of the first batch, two of the second.
  expect((await poolOf(ctx, pools.ios.referee)).daysLeft).toBeCloseTo(4, 2);
});

test("the days follow the pool's order of offers, in which codes may expire before their turn", async () => {
  const { ctx, pools, assignCodes } = await tenantWithCodes(5);
  const poolId = pools.ios.referee;
  await assignCodes(5);
  await rollUpNow(ctx.app.id);
  await setPool(ctx, poolId, { offers: ["First", "Gone", "Second"] });
  const at = new Date(Date.now() + 3 * DAY);
  await makeBatch(ctx, poolId, "ios", { size: 500, offer: "Unlisted", expiresAt: at });
  await makeBatch(ctx, poolId, "ios", { size: 40, offer: "Second" });
  await makeBatch(ctx, poolId, "ios", { size: 10, offer: "First", expiresAt: new Date(at.getTime() + DAY) });
  const pool = await poolOf(ctx, poolId);
  // 5 a day: two days of the first offer, eight of the second; the codes that expire first would have been used last.
  expect(pool.daysLeft).toBeCloseTo(10, 2);
  expect(pool.nextExpiry).toEqual({ at, codes: 500 });
});

test("the pace covers the days for which the pool has existed, at least one", () => {
  const now = Date.parse("2026-06-15T12:00:00Z");
  expect(paceOf(13, "2026-06-15", new Date(now - 90 * DAY), now)).toBe(2);
  expect(paceOf(12, "2026-06-15", new Date(now - 3 * DAY), now)).toBe(4);
  expect(paceOf(12, "2026-06-15", new Date(now - 1_000), now)).toBe(12);
});

test("a new pool in a running campaign has the campaign's pace, though its own first day has the codes of a week", async () => {
  const { ctx, pools, campaignId } = await makeTenant({ codes: 0 });
  const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
  const figures = { appId: ctx.app.id, campaignId, assigned: 10 };
  const add = (platform: "ios" | "android", ...days: number[]) =>
    ctx.db.orm.insert(dailyStats).values(days.map((ago) => ({ ...figures, platform, day: day(ago) })));
  await add("ios", 0, 1, 2, 3, 4, 5, 6);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 300 });
  const { perDay, daysLeft } = await poolOf(ctx, pools.ios.referee);
  expect(perDay).toBeGreaterThan(9.9);
  expect(perDay).toBeLessThan(12);
  expect(daysLeft).toBeGreaterThan(25);
  // The campaign has had this platform only since today, so its codes are of one day.
  await add("android", 0);
  expect(await poolOf(ctx, pools.android.referee)).toMatchObject({ perDay: 10 });
});

test("a new pool has no pace from a few codes; one that is older than the week has", async () => {
  const now = Date.parse("2026-06-15T12:00:00Z");
  expect(paceOf(1, "2026-06-15", new Date(now - 3_600_000), now)).toBe(0);
  expect(paceOf(4, "2026-06-15", new Date(now - 3 * DAY), now)).toBe(0);
  expect(paceOf(1, "2026-06-15", new Date(now - 90 * DAY), now)).toBeCloseTo(1 / 6.5);
  const { ctx, pools, assignCodes } = await tenantWithCodes();
  await assignCodes(1);
  await rollUpNow(ctx.app.id);
  expect(await poolOf(ctx, pools.ios.referee)).toMatchObject({ assigned: 1, perDay: 0, daysLeft: null });
});

test("a reward on the referrer's own platform counts in the pace of the pool that its code is from", async () => {
  const tenant = await makeTenant({ codes: 20, threshold: 1, campaign: { rewardsOn: "referrer" } });
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann", { platform: "android" })).body;
  await refer(tenant, metacode, 6);
  expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(6);
  await rollUpNow(tenant.ctx.app.id);
  const { ios, android } = tenant.pools;
  expect(await poolOf(tenant.ctx, android.reward)).toMatchObject({ assigned: 6, perDay: 6 });
  expect(await poolOf(tenant.ctx, ios.reward)).toMatchObject({ assigned: 0, perDay: 0, daysLeft: null });
});

test("a large batch's codes are not read; a wrong count is corrected when few codes are left", async () => {
  const { ctx } = await tenantWithCodes(1);
  const pool = await makePool(ctx, "ios", "referee", 0);
  const large = await makeBatch(ctx, pool, "ios", { size: 1_500 });
  const small = await makeBatch(ctx, pool, "ios", { size: 900 });
  await ctx.db.orm.execute(sql`delete from codes where app_id = ${ctx.app.id} and batch_id in (${large}, ${small})
    and slot % 2 = 0`);
  const free = (await batchStock(ctx)).filter(({ poolId }) => poolId === pool).map((batch) => batch.free);
  const { rows } = await ctx.db.orm.execute<{ left: number }>(
    sql`select count(*)::int as left from codes where app_id = ${ctx.app.id} and batch_id = ${small}`,
  );
  expect(free).toEqual([1_500, rows[0]?.left]);
});

test("codes set aside for people in line are not free in a large batch either", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  expect((await api.redeem("ada", metacode)).status).toBe(503);
  await ctx.db.orm.execute(sql`
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
    select app_id, campaign_id, 'many-' || n, platform, referrer_id, new_id()
      from referees_in_line, generate_series(1, 299) n where app_id = ${ctx.app.id}`);
  const large = await makeBatch(ctx, pools.ios.referee, "ios", { size: 1_500 });
  const free = async () => (await batchStock(ctx)).find(({ id }) => id === large)?.free;
  expect(await setAside(ctx, pools.ios.referee)).toBe(300);
  expect(await free()).toBe(1_200);
  expect((await api.redeem("ada", metacode)).status).toBe(200);
  expect(await free()).toBe(1_200);
  expect((await api.redeem("late", metacode)).status).toBe(200);
  expect(await free()).toBe(1_199);
});

test("another app's stock does not count", async () => {
  const [mine, other] = [await tenantWithCodes(1), await tenantWithCodes(1)];
  const ids = (await stockOf(mine.ctx)).map(({ id }) => id);
  expect(ids).toHaveLength(4);
  expect(ids).not.toContain(other.pools.ios.referee);
  const foreign = await mine.ctx.db.orm.select().from(batches).where(eq(batches.appId, other.ctx.app.id));
  const seen = new Set((await batchStock(mine.ctx)).map(({ id }) => id));
  expect(foreign.some(({ id }) => seen.has(id))).toBe(false);
});
