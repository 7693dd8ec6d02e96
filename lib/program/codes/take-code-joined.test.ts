import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { openDatabase } from "@/lib/platform/db/client";
import {
  batches,
  codes,
  offerTakers,
  pools as poolRows,
  referrals,
  referrers,
} from "@/lib/platform/db/schema";
import { overlookedPools } from "@/lib/program/code-requests/overlooked";
import { refillPools } from "@/lib/program/code-requests/refill";
import { updateRefillRule } from "@/lib/program/code-requests/refill-rules";
import { joinUids } from "@/lib/program/end-users/join";
import { setAside } from "@/lib/program/line/line";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

/** An app whose end user `anon` has had the offer “One month free” and, by an id between them, is also `user`. */
async function joined() {
  const tenant = await makeAppleTenant(apple);
  const ctx = asTeamMember(tenant.ctx);
  const api = clientOf(tenant.key);
  const taken = { appId: ctx.app.id, platform: "ios", offer: "One month free", uid: "anon" } as const;
  await ctx.db.orm.insert(offerTakers).values(taken);
  const join = async () => {
    for (const [uid, otherUid] of [
      ["anon", "between"],
      ["between", "user"],
    ] as const)
      await joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
  };
  const add = (poolId: string, offer: string | null, size = 9) =>
    makeBatch(ctx, poolId, "ios", { size, offer });
  const offersOf = async (...assigned: string[]) => {
    const rows = await ctx.db.orm
      .select({ code: codes.code, offer: batches.offer })
      .from(codes)
      .innerJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
      .where(eq(codes.appId, ctx.app.id));
    return assigned.map((code) => rows.find((row) => row.code === code)?.offer);
  };
  return { ...tenant, tenant, ctx, api, join, add, offersOf };
}

test("a redeem in another campaign and a claim take an offer that no joined id of the person has had", async () => {
  const { tenant, ctx, api, pools, join, add, offersOf } = await joined();
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  const campaignId = await copyCampaign(tenant, { type: "influencer" });
  await ctx.db.orm.update(referrers).set({ campaignId }).where(eq(referrers.id, referrer_id));
  await join();
  for (const pool of [pools.ios.referee, pools.ios.reward]) {
    await add(pool, "One month free");
    await add(pool, pool === pools.ios.reward ? "Half a year" : "A week");
    const offers = ["One month free", "A week", "Half a year"];
    await ctx.db.orm.update(poolRows).set({ offers }).where(eq(poolRows.id, pool));
  }
  const { code } = (await api.redeem("user", metacode)).body;
  expect(await offersOf(code)).toEqual(["A week"]);
  await earnRewards(tenant, "user", 2);
  const stats = async () => (await api.referrer("user")).body.stats;
  expect(await stats()).toMatchObject({ rewards_available: 2, rewards_waiting: 1 });
  const [reward, ...others] = (await api.claim("user")).body.claimed_rewards;
  expect([await offersOf(reward.code), others]).toEqual([["Half a year"], []]);
  const empty = await api.claim("user");
  expect([empty.status, empty.headers.get("retry-after")]).toEqual([503, "3600"]);
  expect(await stats()).toMatchObject({ rewards_available: 1, rewards_waiting: 1 });
  expect((await detect(ctx)).find(({ kind }) => kind === "rewards_waiting")?.title).toBe(
    "1 person needs a third iOS offer",
  );
  // Offers that the person has had count under each of their ids.
  expect((await api.redeem("between", metacode)).status).toBe(503);
  await add(pools.ios.referee, null);
  expect((await api.redeem("between", metacode)).status).toBe(200);
});

test("a code is set aside of an offer that no joined id of the person has had, nor has a code of it set aside", async () => {
  const { ctx, api, tenant, poolId, join, add } = await joined();
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  expect((await api.redeem("between", metacode)).status).toBe(503);
  const campaignId = await copyCampaign(tenant, { type: "influencer" });
  await ctx.db.orm.update(referrers).set({ campaignId }).where(eq(referrers.id, referrer_id));
  expect((await api.redeem("user", metacode)).status).toBe(503);
  await join();
  await add(poolId, "One month free");
  expect([await overlookedPools(ctx), await setAside(ctx, poolId)]).toEqual([[], 0]);
  await add(poolId, "Half a year");
  expect([await overlookedPools(ctx), await setAside(ctx, poolId)]).toEqual([[poolId], 1]);
  await add(poolId, null, 1);
  expect(await setAside(ctx, poolId)).toBe(1);
});

test("a code that was set aside is not assigned once a joined id has had its offer", async () => {
  const { ctx, api, poolId, join, add, offersOf } = await joined();
  const { metacode } = (await api.referrer("ann")).body;
  expect((await api.redeem("user", metacode)).status).toBe(503);
  await add(poolId, "One month free");
  expect(await setAside(ctx, poolId)).toBe(1);
  await join();
  expect((await api.redeem("user", metacode)).status).toBe(503);
  await add(poolId, "Half a year");
  expect(await offersOf((await api.redeem("user", metacode)).body.code)).toEqual(["Half a year"]);
});

test("a refill requests the next offer for a person whose joined id has had the first", async () => {
  const { tenant, ctx, api, pools, join, add, requests } = await joined();
  const poolId = pools.ios.reward;
  await add(poolId, "One month free");
  await join();
  await earnRewards(tenant, "user", 1);
  const rule = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  await updateRefillRule(ctx, { ...rule, offer: "subscription:offer1" });
  expect((await api.claim("user")).headers.get("retry-after")).toBe("3600");
  await refillPools(ctx);
  expect(await requests()).toEqual([]);
  const offers = { offer: "subscription:offer1", laterOffers: ["subscription:offer3"] };
  await updateRefillRule(ctx, { ...rule, ...offers });
  expect((await api.claim("user")).headers.get("retry-after")).toBe("300");
  await refillPools(ctx);
  expect(await requests()).toMatchObject([{ offerName: "Half a year" }]);
});

test("a place in line whose person has a code under a joined id needs no other offer", async () => {
  const { tenant, ctx, api, poolId, pools, add, requests } = await joined();
  const { metacode } = (await api.referrer("ann")).body;
  expect((await api.redeem("user", metacode)).status).toBe(503);
  await joinUids(ctx, { uid: "anon", otherUid: "user", reason: "Reinstalled", keepApart: "true" });
  await add(poolId, "One month free", 40);
  const rule = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  const offers = { offer: "subscription:offer1", laterOffers: ["subscription:offer3"] };
  await updateRefillRule(ctx, { ...rule, ...offers });
  const needs = async () => (await detect(ctx)).filter(({ title }) => title.includes("in line needs"));
  expect(await needs()).toHaveLength(1);
  await makeBatch(ctx, pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("anon", metacode, "android")).status).toBe(200);
  expect(await needs()).toEqual([]);
  await refillPools(ctx);
  expect(await requests()).toEqual([]);
  await tenant.ctx.db.orm.delete(referrals).where(eq(referrals.refereeUid, "anon"));
  await refillPools(ctx);
  expect(await requests()).toMatchObject([{ offerName: "Half a year" }]);
});

test("an offer of which a code was replaced is open again to each id of its person", async () => {
  const { ctx, api, poolId, join, add, offersOf, pools, tenant } = await joined();
  const { metacode } = (await api.referrer("ann")).body;
  await join();
  await add(poolId, "A week");
  expect((await api.redeem("user", metacode)).status).toBe(200);
  await add(pools.ios.reward, "A week");
  await earnRewards(tenant, "between", 1);
  expect((await api.claim("between")).status).toBe(503);
  await add(poolId, "Half a year");
  const reason = "The store refused it";
  await replaceCodeOf(ctx, await referralIdOf(ctx, "user"), reason);
  const [{ code }] = (await api.claim("between")).body.claimed_rewards;
  expect(await offersOf(code)).toEqual(["A week"]);
});

test("Google Play assigns an offer again that a joined id has had, after others, unless its pool forbids it", async () => {
  const { ctx, api, pools, offersOf } = await joined();
  const { metacode } = (await api.referrer("ann")).body;
  const pool = pools.android.referee;
  const taken = { appId: ctx.app.id, platform: "android", offer: "spring" } as const;
  await ctx.db.orm.insert(offerTakers).values({ ...taken, uid: "anon" });
  for (const uid of ["ben", "eve"])
    await joinUids(ctx, { uid: "anon", otherUid: uid, reason: "Reinstalled", keepApart: "true" });
  await makeBatch(ctx, pool, "android", { size: 9, offer: "spring" });
  const forbid = (onePerOffer: boolean) =>
    ctx.db.orm.update(poolRows).set({ onePerOffer }).where(eq(poolRows.id, pool));
  await forbid(true);
  expect((await api.redeem("ben", metacode, "android")).status).toBe(503);
  await forbid(false);
  expect((await api.redeem("ben", metacode, "android")).status).toBe(200);
  const takers = await ctx.db.orm.select().from(offerTakers).where(eq(offerTakers.platform, "android"));
  expect(takers.map(({ uid }) => uid).sort()).toEqual(["anon", "ben"]);
  await makeBatch(ctx, pool, "android", { size: 1, offer: "summer" });
  expect(await offersOf((await api.redeem("eve", metacode, "android")).body.code)).toEqual(["summer"]);
});

test("checks read the links of those who wait, by statistics from before the app had links too", async () => {
  const { ctx, api, pools, poolId, add } = await joined();
  const { metacode } = (await api.referrer("ann")).body;
  for (let n = 0; n < 20; n++) expect((await api.redeem(`user${n}`, metacode)).status).toBe(503);
  const own = sql`${ctx.app.id}::uuid`;
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  // Statistics must not include the rows of the second statement.
  await db.orm.execute(sql`alter table identity_links set (autovacuum_enabled = off)`);
  const link = (app: typeof own, count: number) =>
    db.orm.execute(sql`insert into identity_links (app_id, from_uid, to_uid, type, event_id)
      select ${app}, 'from' || n, 'to' || n, 'ALIAS', new_id() from generate_series(1, ${count}::int) n`);
  await link(sql`${pools.ios.reward}::uuid`, 2000);
  await db.orm.execute(sql`analyze identity_links`);
  await link(own, 2000);
  await db.orm.execute(sql`insert into offer_takers (app_id, platform, offer, uid)
    select ${own}, 'ios', 'One month free', 'user' || n from generate_series(0, 19) n`);
  await add(poolId, "One month free", 40);
  const read = async () => {
    await db.orm.execute(sql`select pg_stat_force_next_flush()`);
    const { rows } = await db.orm.execute<{ read: string }>(sql`
      select sum(idx_tup_read) as read from pg_stat_user_indexes where relname = 'identity_links'`);
    return Number(rows[0]?.read);
  };
  const before = await read();
  const narrow = { ...ctx, db };
  expect(await overlookedPools(narrow)).toEqual([]);
  expect((await detect(narrow)).filter(({ title }) => title.includes("in line need"))).toHaveLength(1);
  expect((await read()) - before).toBeLessThan(1000);
  await db.close();
});
