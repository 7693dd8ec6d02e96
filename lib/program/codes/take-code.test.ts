import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { batches, codes, offerTakers, referrers } from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { updatePool } from "@/lib/program/pools/pools";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch, makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";
import { quarantineBatch, undoBatch } from "./batch-state";
import { createCustomCode, importCodes } from "./import";

useService();

async function inviting(options: TenantOptions) {
  const tenant = await makeTenant(options);
  const api = clientOf(tenant.key);
  return { tenant, api, metacode: (await api.referrer("ann")).body.metacode as string };
}

/** The offers of claimed rewards, in their order. */
async function offersOf({ ctx }: Tenant, claimed: { reward_id: string }[]) {
  const rows = await ctx.db.orm
    .select({ id: codes.assignmentId, offer: batches.offer })
    .from(codes)
    .innerJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
    .where(eq(codes.appId, ctx.app.id));
  return claimed.map(({ reward_id }) => rows.find(({ id }) => id === reward_id)?.offer);
}

/** Locks a code's row like an uncommitted request until `work` is done. */
async function whileHeld(tenant: Tenant, batchId: string, work: (db: Db) => Promise<void>): Promise<void> {
  const held = and(eq(codes.appId, tenant.ctx.app.id), eq(codes.batchId, batchId));
  await database().transaction(async (db) => {
    await db.orm.select({ id: codes.id }).from(codes).where(held).for("update");
    await work(db);
  });
}

describe("a named offer", () => {
  test("is assigned once to one user, also by two campaigns at the same time", async () => {
    const { tenant, api } = await inviting({ offer: "spring", codes: 40 });
    const { orm } = tenant.ctx.db;
    const slugs = await Promise.all(
      ["kim", "lee"].map(async (uid) => {
        const { body } = await api.referrer(uid);
        const campaignId = await copyCampaign(tenant, { type: "influencer", name: uid });
        await orm
          .update(referrers)
          .set({ campaignId })
          .where(and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.id, body.referrer_id)));
        return body.metacode as string;
      }),
    );
    for (let n = 0; n < 5; n++) {
      const replies = await Promise.all(slugs.map((slug) => api.redeem(`bob${n}`, slug)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 503]);
    }
  });

  test("is assigned in the order of the pool, then of expiry, to those who have not had it", async () => {
    const { tenant, api } = await inviting({ codes: 0 });
    const { ctx, pools: made } = tenant;
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const poolId = made.ios.reward;
    for (const [offer, expires] of [
      ["winter", 3],
      [null, 4],
      ["summer", 5],
      ["spring", 9],
    ] as const) {
      await makeBatch(ctx, poolId, "ios", { size: 2, offer, expiresAt: days(expires) });
    }
    const settings = { poolId, name: "Rewards", lowStock: 1, alertTo: [] };
    await updatePool(ctx, { ...settings, offers: ["spring", "summer", "autumn"] });
    await earnRewards(tenant, "ann", 6);
    const { claimed_rewards } = (await api.claim("ann")).body;
    expect(await offersOf(tenant, claimed_rewards)).toEqual(["spring", "summer", "winter", null, null]);
  });

  test("is assigned again in Google Play where nothing else is left, unless the owner says otherwise", async () => {
    const { tenant, api } = await inviting({ codes: 0 });
    const { ctx, pools: made } = tenant;
    const poolId = made.android.reward;
    await makeBatch(ctx, poolId, "android", { size: 5, offer: "spring" });
    await makeBatch(ctx, poolId, "android", { size: 1, offer: "summer" });
    const settings = { poolId, name: "Rewards", lowStock: 1, alertTo: [] };
    await updatePool(ctx, { ...settings, onePerOffer: true });
    await earnRewards(tenant, "ann", 4, "android");
    const first = (await api.claim("ann")).body.claimed_rewards;
    expect(await offersOf(tenant, first)).toEqual(["spring", "summer"]);
    expect((await api.claim("ann")).status).toBe(503);
    await updatePool(ctx, settings);
    const second = (await api.claim("ann")).body.claimed_rewards;
    expect(await offersOf(tenant, second)).toEqual(["spring", "spring"]);
  });
});

test("a released code leaves its offer taken where the user has another code of it", async () => {
  const { tenant, api, metacode } = await inviting({ codes: 0 });
  const { ctx, pools: made } = tenant;
  await makeBatch(ctx, made.android.referee, "android", { size: 1, offer: "spring" });
  await makeBatch(ctx, made.android.reward, "android", { size: 2, offer: "spring" });
  const { status } = await api.redeem("bob", metacode, "android");
  await earnRewards(tenant, "bob", 1, "android");
  expect([status, (await api.claim("bob")).status]).toEqual([200, 200]);
  const referralId = await referralIdOf(ctx, "bob");
  await releaseRedemption(asTeamMember(ctx), { referralId, reason: "Wrong friend" });
  expect(await ctx.db.orm.$count(offerTakers, eq(offerTakers.appId, ctx.app.id))).toBe(1);
});

test("a release beside a claim of the same offer leaves the offer taken", async () => {
  const { tenant, api, metacode } = await inviting({ codes: 0 });
  const { ctx, pools: made } = tenant;
  await makeBatch(ctx, made.android.referee, "android", { size: 1, offer: "spring" });
  await makeBatch(ctx, made.android.reward, "android", { size: 2, offer: "spring" });
  await api.redeem("bob", metacode, "android");
  await earnRewards(tenant, "bob", 1, "android");
  const referralId = await referralIdOf(ctx, "bob");
  const { releasing } = await ctx.db.transaction(async ({ orm }) => {
    await orm.execute(sql`select claim_once(${ctx.app.id}, 'bob', null)`);
    const releasing = releaseRedemption(asTeamMember(ctx), { referralId, reason: "Wrong friend" });
    await Promise.race([releasing, blockedBackends()]);
    return { releasing };
  });
  await releasing;
  expect(await ctx.db.orm.$count(offerTakers, eq(offerTakers.appId, ctx.app.id))).toBe(1);
});

describe("a code in other hands", () => {
  test("is not awaited while another batch has a free code", async () => {
    const { tenant, api, metacode } = await inviting({ codes: 0 });
    const soon = new Date(Date.now() + 9 * 86_400_000);
    const pool = tenant.pools.ios.referee;
    const first = await makeBatch(tenant.ctx, pool, "ios", { size: 1, expiresAt: soon });
    await makeBatch(tenant.ctx, pool, "ios", { size: 1 });
    await whileHeld(tenant, first, async () => {
      expect((await api.redeem("bob", metacode)).status).toBe(200);
    });
  });

  test("is waited for when it is the last, and assigned when it becomes free", async () => {
    const { tenant, api, metacode } = await inviting({ codes: 0 });
    const last = await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    let waiting: ReturnType<typeof api.redeem> | undefined;
    await whileHeld(tenant, last, async () => {
      waiting = api.redeem("bob", metacode);
      await blockedBackends();
    });
    expect((await waiting)?.status).toBe(200);
  });

  test("is not assigned when its batch was quarantined in the meantime", async () => {
    const { tenant, api, metacode } = await inviting({ codes: 0 });
    const last = await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    let waiting: ReturnType<typeof api.redeem> | undefined;
    await whileHeld(tenant, last, async () => {
      waiting = api.redeem("bob", metacode);
      await blockedBackends();
      await quarantineBatch(tenant.ctx, last);
    });
    expect((await waiting)?.status).toBe(503);
  });
});

describe("the owner's daily cap", () => {
  test("holds for a redeem beside one that has not committed yet", async () => {
    const { tenant, metacode } = await inviting({ app: { referrerDailyCap: 1 } });
    const ask = (db: Db, refereeUid: string) =>
      redeemMetacode(
        { ...tenant.ctx, db },
        { refereeUid, metacode, platform: "ios", clickId: undefined },
      ).then(
        () => "assigned",
        (error: AppError) => error.code,
      );
    let second: Promise<string> | undefined;
    await database().transaction(async (db) => {
      expect(await ask(db, "b1")).toBe("assigned");
      second = ask(database(), "b2");
      await Promise.race([second, blockedBackends().catch(() => undefined)]);
    });
    expect(await second).toBe("CONFLICT");
  });

  test("does not block the response to a retry", async () => {
    const { api, metacode } = await inviting({ app: { referrerDailyCap: 1 } });
    const first = await api.redeem("bob", metacode);
    const again = await api.redeem("bob", metacode);
    expect([again.body.error.code, again.body.redemption]).toEqual(["ALREADY_REDEEMED", first.body]);
  });
});

test("a claim that finds no code still answers with recent claims", async () => {
  const { tenant, api } = await inviting({ codes: 0 });
  await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 1 });
  await earnRewards(tenant, "ann", 2);
  const first = await api.claim("ann");
  expect(first.body.claimed_rewards).toHaveLength(1);
  const again = await api.claim("ann");
  expect([again.status, again.body.error.code]).toEqual([503, "NO_CODES_AVAILABLE"]);
  expect(again.body.recent_claims).toEqual(first.body.claimed_rewards);
});

test("an offer that a user of another app took is open to the same uid here, and its return changes nothing there", async () => {
  const options = { codes: 1, offer: "Month" };
  const [here, there] = [await inviting(options), await inviting(options)];
  for (const { api, metacode } of [here, there])
    expect((await api.redeem("same", metacode)).status).toBe(200);
  const { ctx } = here.tenant;
  await releaseRedemption(asTeamMember(ctx), {
    referralId: await referralIdOf(ctx, "same"),
    reason: "By mistake",
  });
  const taken = ({ ctx: { app, db } }: Tenant) => db.orm.$count(offerTakers, eq(offerTakers.appId, app.id));
  expect([await taken(here.tenant), await taken(there.tenant)]).toEqual([0, 1]);
});

test("the text of an assigned custom code is never stored again", async () => {
  const { tenant, api, metacode } = await inviting({ codes: 0 });
  const { ctx } = tenant;
  const poolId = tenant.pools.ios.referee;
  const { batchId } = await createCustomCode(ctx, { poolId, code: "SUMMER25", limit: 3 });
  expect((await api.redeem("bob", metacode)).body.code).toBe("SUMMER25");
  await undoBatch(ctx, batchId ?? "");
  const source = (async function* () {
    yield "SUMMER25\nWINTER25\n";
  })();
  expect(await importCodes(ctx, { poolId, kind: "one_time", source })).toMatchObject({ imported: 1 });
  await expect(createCustomCode(ctx, { poolId, code: "SUMMER25", limit: 1 })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  const states = await ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id));
  expect(states.map(({ state }) => state).sort()).toEqual(["ready", "undone"]);
});
