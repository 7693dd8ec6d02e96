import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { database, openDatabase } from "@/lib/platform/db/client";
import { outbox, referrals } from "@/lib/platform/db/schema";
import { getReferral } from "@/lib/program/referrals/get";
import { reverseReferral } from "@/lib/program/referrals/reverse";
import { grantGoodwillReward } from "@/lib/program/rewards/goodwill";
import { APPS_WITH_ENDED_HOLDS, endHolds } from "@/lib/program/rewards/holds";
import { updateCampaign } from "@/lib/testing/campaigns";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { countedTotals, storedTotals } from "@/lib/testing/daily-figures";
import { onCluster } from "@/lib/testing/database/cluster";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService();

const DAY_MS = 86_400_000;

/** A campaign that holds rewards for two weeks; the third confirmed referral would earn one. */
async function holding(codes = 10) {
  const { tenant, api, metacode } = await referringTenant({ codes, campaign: { holdDays: 14 } });
  const { ctx } = tenant;
  const { orm } = ctx.db;
  const own = eq(referrals.appId, ctx.app.id);
  return {
    ctx,
    tenant,
    metacode,
    api,
    refer: (count: number) => refer(tenant, metacode, count),
    stats: async () => (await api.referrer("ann")).body.stats,
    referralsOf: () => orm.select().from(referrals).where(own),
    /** Lets all holds end, before any round has noticed. */
    pass: () => orm.update(referrals).set({ countsFrom: sql`now()` }).where(own),
    emitted: async (type: string) => {
      const rows = await orm
        .select()
        .from(outbox)
        .where(and(eq(outbox.appId, ctx.app.id), eq(outbox.type, type)));
      return rows.map(({ payload }) => payload as Record<string, unknown>);
    },
  };
}

test("a held referral counts once the hold is over, and the reward is earned then, once", async () => {
  const app = await holding();
  await app.refer(3);
  expect(await app.stats()).toEqual({
    referrals_count: 0,
    referrals_held: 3,
    rewards_earned: 0,
    rewards_available: 0,
  });
  expect((await app.api.referrer("ann")).body.progress.ios).toMatchObject({ current: 0, percentage: 0 });
  expect((await app.api.claim("ann")).body.error.code).toBe("NO_REWARDS_AVAILABLE");
  const [redeemed] = await app.emitted("referral.redeemed");
  expect(redeemed?.counts_from).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const days = (Date.parse(String(redeemed?.counts_from)) - Date.now()) / DAY_MS;
  expect(Math.round(days)).toBe(14);
  expect(await endHolds(app.ctx)).toBe(0);
  expect(await app.emitted("reward.earned")).toEqual([]);
  await app.pass();
  expect(await endHolds(app.ctx)).toBe(3);
  expect(await endHolds(app.ctx)).toBe(0);
  expect(await storedTotals(app.ctx.app.id)).toEqual(await countedTotals(app.ctx.app.id));
  expect(await app.stats()).toEqual({ referrals_count: 3, rewards_earned: 1, rewards_available: 1 });
  expect(await app.emitted("reward.earned")).toHaveLength(1);
  expect(await app.emitted("referral.redeemed")).toHaveLength(3);
  expect((await app.api.claim("ann")).status).toBe(200);
});

test("without a hold a referral counts at once, and its event says nothing of one", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await refer(tenant, metacode, 3);
  expect((await api.referrer("ann")).body.stats).toEqual({
    referrals_count: 3,
    rewards_earned: 1,
    rewards_available: 1,
  });
  const events = await tenant.ctx.db.orm.select().from(outbox).where(eq(outbox.appId, tenant.ctx.app.id));
  expect(JSON.stringify(events)).not.toContain("counts_from");
});

test("a refund during the hold withdraws the referral before anything is earned", async () => {
  const app = await holding();
  const [uid = "", other = ""] = await app.refer(3);
  expect(await applyEvent(app.ctx, uid, "reverse")).toBe("reversed");
  await applyEvent(app.ctx, other, "reverse");
  expect(await applyEvent(app.ctx, other, "restore")).toBe("restored");
  expect(await app.stats()).toMatchObject({ referrals_count: 0, referrals_held: 2 });
  await app.pass();
  await endHolds(app.ctx);
  expect(await app.stats()).toEqual({ referrals_count: 2, rewards_earned: 0, rewards_available: 0 });
  // Its hold is over, so a withdrawn refund counts at once.
  await applyEvent(app.ctx, uid, "restore");
  expect(await app.stats()).toEqual({ referrals_count: 3, rewards_earned: 1, rewards_available: 1 });
});

test("a refund after the hold takes the count back, but not the reward", async () => {
  const app = await holding();
  const [uid = ""] = await app.refer(3);
  await app.pass();
  await endHolds(app.ctx);
  await applyEvent(app.ctx, uid, "reverse");
  expect(await app.stats()).toEqual({ referrals_count: 2, rewards_earned: 1, rewards_available: 1 });
});

test("processes that end the same holds at once, with reversals among them, count each once", async () => {
  const app = await holding(40);
  await app.refer(30);
  const rows = await app.referralsOf();
  await app.pass();
  const { DATABASE_URL: url = "" } = process.env;
  const others = [1, 2].map(() => openDatabase({ url, size: 2, waitMs: 20_000 }));
  const ended = await Promise.all([
    ...[app.ctx.db, ...others].map((db) => endHolds({ ...app.ctx, db })),
    ...rows.slice(0, 6).map(async ({ id }) => {
      await reverseReferral(app.ctx, { referralId: id, reason: "Asked for" });
      return 0;
    }),
  ]);
  await endHolds(app.ctx);
  await Promise.all(others.map((db) => db.close()));
  expect(ended.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(30);
  const { referrals_count, referrals_held } = await app.stats();
  expect([referrals_count, referrals_held]).toEqual([24, undefined]);
  expect((await app.referralsOf()).some(({ held }) => held)).toBe(false);
});

test("a reversal that has not committed when the holds end is not counted over", async () => {
  const app = await holding();
  await app.refer(3);
  const [row] = await app.referralsOf();
  await app.pass();
  const reversing = await database().pool.connect();
  await reversing.query("begin");
  await reversing.query("select reverse_by_hand($1, $2, 'reverse')", [app.ctx.app.id, row?.id]);
  const ending = endHolds(app.ctx);
  // Its progress is locked, unless the reversal's own row makes the round wait.
  await blockedBackends();
  await reversing.query("commit");
  reversing.release();
  expect(await ending).toBe(2);
  expect(await endHolds(app.ctx)).toBe(1);
  expect(await app.stats()).toEqual({ referrals_count: 2, rewards_earned: 0, rewards_available: 0 });
});

test("holds that end while a threshold falls earn the reward that is due by the new one", async () => {
  const app = await holding();
  await app.refer(2);
  await app.pass();
  const ending = await database().pool.connect();
  await ending.query("begin");
  await ending.query("select end_holds($1, 10)", [app.ctx.app.id]);
  const saved = updateCampaign(app.ctx, app.tenant.campaignId, {
    name: "Launch",
    holdDays: 14,
    platforms: { ios: { threshold: 2, rewardPoolId: app.tenant.pools.ios.reward } },
  });
  await Promise.race([saved, blockedBackends()]);
  await ending.query("commit");
  ending.release();
  expect(await saved).toEqual({ saved: true, due: [] });
  expect(await app.stats()).toEqual({ referrals_count: 2, rewards_earned: 1, rewards_available: 1 });
});

test("holds that end lock a referrer before the progress, as confirmations do, so that neither waits for the other", async () => {
  const app = await holding();
  await app.refer(1);
  await app.pass();
  const own = [app.ctx.app.id];
  const confirming = await database().pool.connect();
  await confirming.query("begin");
  await confirming.query("select 1 from referrers where app_id = $1 for update", own);
  const ending = endHolds(app.ctx);
  await blockedBackends();
  const progress = "select 1 from referrer_progress where app_id = $1 for update nowait";
  const { rowCount } = await confirming.query(progress, own).finally(async () => {
    await confirming.query("rollback");
    confirming.release();
  });
  expect([rowCount, await ending]).toEqual([1, 1]);
});

test("the page of a referral says from when on it counts, until it does", async () => {
  const app = await holding();
  await app.refer(3);
  const [row] = await app.referralsOf();
  expect((await getReferral(app.ctx, row?.id ?? "")).heldUntil).toEqual(row?.countsFrom);
  expect((await getReferral(app.ctx, row?.id ?? "")).timeline).toContainEqual(
    expect.objectContaining({ kind: "confirmed", heldUntil: row?.countsFrom }),
  );
  // A reward between the confirmation and the end of the hold is not the referral's.
  const referrerId = row?.referrerId ?? "";
  await grantGoodwillReward(app.ctx, { referrerId, platform: "ios", reason: "Our mistake" });
  await app.pass();
  await endHolds(app.ctx);
  const after = await getReferral(app.ctx, row?.id ?? "");
  expect(after.heldUntil).toBeNull();
  expect(after.timeline).toContainEqual(expect.objectContaining({ kind: "reward", rewardNumber: 2 }));
});

test.skipIf(onCluster())(
  "holds that are over are found along their index (the plan of a single server)",
  async () => {
    const { ctx } = await holding();
    const { rows } = await ctx.db.transaction(async ({ orm }) => {
      await orm.execute(sql`set local enable_seqscan = off`);
      return orm.execute<{ "QUERY PLAN": string }>(sql`explain ${APPS_WITH_ENDED_HOLDS}`);
    });
    expect(JSON.stringify(rows)).toContain("referrals_held");
  },
);
