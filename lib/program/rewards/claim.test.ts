import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimResponse } from "@/lib/contract/claim";
import type { RewardView } from "@/lib/contract/timeline";
import { apps, campaigns, codes, outbox, referrers, rewards } from "@/lib/platform/db/schema";
import { quarantineBatch, restoreBatch } from "@/lib/program/codes/batch-state";
import { listRewards } from "@/lib/program/rewards/list";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { earnRewards, refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

useService();

/** A referrer `ann` with some confirmed referrals; codes for referees, and `rewardCodes` for rewards. */
async function earning(referrals: number, rewardCodes = 10, options: TenantOptions = {}) {
  const tenant = await makeTenant({ threshold: 3, codes: 0, ...options });
  await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: referrals + 20 });
  if (rewardCodes > 0) await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: rewardCodes });
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  await refer(tenant, metacode, referrals);
  return { tenant, api, metacode };
}

const outcome = ({ status, body }: ApiReply) => [status, body.error?.code ?? body.message];
const stats = async (api: ReturnType<typeof clientOf>) => (await api.referrer("ann")).body.stats;
const rewardsOf = ({ ctx }: Tenant) => ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));

describe("a claim", () => {
  test("finds nothing below the threshold, one reward at it, and then nothing again", async () => {
    const { tenant, api, metacode } = await earning(2);
    expect(outcome(await api.claim("ann"))).toEqual([404, "NO_REWARDS_AVAILABLE"]);
    expect(outcome(await api.claim("stranger"))).toEqual([404, "NOT_FOUND"]);
    await refer(tenant, metacode, 1);
    const reply = await api.claim("ann");
    expect(outcome(reply)).toEqual([200, "Successfully claimed 1 reward"]);
    expect(claimResponse.parse(reply.body)).toEqual(reply.body);
    const [reward] = reply.body.claimed_rewards;
    expect(reward).toMatchObject({ platform: "ios", reward_number: 1 });
    expect(reward.store_url).toContain(`code=${reward.code}`);
    expect(outcome(await api.claim("ann"))).toEqual([404, "NO_REWARDS_AVAILABLE"]);
    expect(await stats(api)).toEqual({ referrals_count: 3, rewards_earned: 1, rewards_available: 0 });
    const [row] = await tenant.ctx.db.orm
      .select()
      .from(codes)
      .where(and(eq(codes.appId, tenant.ctx.app.id), eq(codes.code, reward.code)));
    expect(row).toMatchObject({ redeemedByUid: "ann", assignmentId: reward.reward_id });
  });

  test("takes several at once, in order, with a code of the reward pool each", async () => {
    const { tenant, api } = await earning(10);
    const { body } = await api.claim("ann");
    expect(body.message).toBe("Successfully claimed 3 rewards");
    expect(body.claimed_rewards.map((reward: { reward_number: number }) => reward.reward_number)).toEqual([
      1, 2, 3,
    ]);
    expect(new Set(body.claimed_rewards.map((reward: { code: string }) => reward.code)).size).toBe(3);
    const events = await tenant.ctx.db.orm
      .select()
      .from(outbox)
      .where(and(eq(outbox.appId, tenant.ctx.app.id), eq(outbox.type, "reward.claimed")));
    expect(events).toHaveLength(3);
  });

  test("claims the rewards with codes, and the rest after more codes arrive", async () => {
    const { tenant, api } = await earning(9, 1);
    expect(outcome(await api.claim("ann"))).toEqual([
      200,
      "Successfully claimed 1 reward, 2 more are waiting for codes",
    ]);
    expect(await stats(api)).toEqual({
      referrals_count: 9,
      rewards_earned: 3,
      rewards_available: 2,
      rewards_waiting: 2,
    });
    expect((await rewardsOf(tenant)).map(({ waitsFor }) => waitsFor).sort()).toEqual([
      "no_codes",
      "no_codes",
      null,
    ]);
    const empty = await api.claim("ann");
    expect(outcome(empty)).toEqual([503, "NO_CODES_AVAILABLE"]);
    expect(Number(empty.headers.get("retry-after"))).toBeGreaterThan(0);
    await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 5 });
    expect((await stats(api)).rewards_waiting).toBeUndefined();
    expect(outcome(await api.claim("ann"))).toEqual([200, "Successfully claimed 2 rewards"]);
    expect((await rewardsOf(tenant)).map(({ waitsFor }) => waitsFor)).toEqual([null, null, null]);
  });

  test("waits for a reason that follows the stock, the same in the API and in the dashboard", async () => {
    const { tenant, api } = await earning(6, 0);
    const { ctx, pools } = tenant;
    const { referrer_id: referrerId } = (await api.referrer("ann")).body;
    // Confirmations that arrive together may earn a later reward at an earlier time.
    const newestFirst = (a: RewardView, b: RewardView) => b.rewardNumber - a.rewardNumber;
    const reasons = async () => [
      (await stats(api)).rewards_waiting ?? 0,
      ...(await listRewards(ctx, referrerId)).data.sort(newestFirst).map(({ waitsFor }) => waitsFor),
    ];
    expect(await reasons()).toEqual([2, "no_codes", "no_codes"]);
    expect((await api.claim("ann")).status).toBe(503);
    expect(await reasons()).toEqual([2, "no_codes", "no_codes"]);
    const batchId = await makeBatch(ctx, pools.ios.reward, "ios", { size: 1, offer: "spring" });
    expect(await reasons()).toEqual([1, "no_codes", null]);
    await quarantineBatch(ctx, batchId);
    expect(await reasons()).toEqual([2, "quarantined", "quarantined"]);
    await restoreBatch(ctx, batchId);
    expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
    expect(await reasons()).toEqual([1, "no_codes", null]);
    await makeBatch(ctx, pools.ios.reward, "ios", { size: 1, offer: "spring" });
    expect(await reasons()).toEqual([1, "same_offer", null]);
    const refused = await api.claim("ann");
    expect([refused.status, refused.body.recent_claims.length]).toEqual([503, 1]);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await stats(api)).toMatchObject({ rewards_earned: 2, rewards_available: 1, rewards_waiting: 1 });
  });

  test("tells before a claim how many rewards it will leave, of shared pools, offers and budgets", async () => {
    const { tenant, api } = await earning(0, 0, { campaign: { rewardsOn: "referrer", rewardBudget: 6 } });
    await earnRewards(tenant, "ann", 3);
    await earnRewards(tenant, "ann", 2, "android");
    const { ctx, pools } = tenant;
    await ctx.db.orm
      .update(referrers)
      .set({ metadata: { platform: "ios" } })
      .where(eq(referrers.appId, ctx.app.id));
    await makeBatch(ctx, pools.ios.reward, "ios", { size: 9, offer: "spring" });
    const waiting = async () => (await stats(api)).rewards_waiting ?? 0;
    expect(await waiting()).toBe(4);
    await makeBatch(ctx, pools.ios.reward, "ios", { size: 2 });
    expect(await waiting()).toBe(2);
    expect((await api.claim("ann")).body.message).toBe(
      "Successfully claimed 3 rewards, 2 more are waiting for codes",
    );
    expect(await waiting()).toBe(2);
    await makeBatch(ctx, pools.ios.reward, "ios", { size: 9 });
    expect(await waiting()).toBe(0);
    await ctx.db.orm.update(campaigns).set({ rewardBudget: 4 }).where(eq(campaigns.appId, ctx.app.id));
    expect(await waiting()).toBe(1);
    expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
    expect(await waiting()).toBe(1);
  });

  test("repeats the content of a lost response, within the app's window", async () => {
    const { tenant, api } = await earning(6);
    const first = await api.claim("ann");
    const again = await api.claim("ann");
    expect(outcome(again)).toEqual([404, "NO_REWARDS_AVAILABLE"]);
    expect(again.body.recent_claims).toEqual(first.body.claimed_rewards);
    await tenant.ctx.db.orm.update(apps).set({ retryWindowHours: 0 }).where(eq(apps.id, tenant.ctx.app.id));
    expect((await api.claim("ann")).body.recent_claims).toBeUndefined();
  });

  test("assigns one person no second code of a named offer", async () => {
    const { tenant, api } = await earning(6, 0);
    await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 5, offer: "spring" });
    expect(outcome(await api.claim("ann"))).toEqual([
      200,
      "Successfully claimed 1 reward, 1 more is waiting for a code",
    ]);
    expect(outcome(await api.claim("ann"))).toEqual([503, "NO_CODES_AVAILABLE"]);
    expect((await rewardsOf(tenant)).map(({ waitsFor }) => waitsFor)).toContain("same_offer");
    await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 1, offer: "summer" });
    expect(outcome(await api.claim("ann"))).toEqual([200, "Successfully claimed 1 reward"]);
  });

  test("nor a reward code of an offer redeemed as a referee", async () => {
    const { tenant, api } = await earning(3, 0);
    const { metacode } = (await api.referrer("eve")).body;
    await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", {
      size: 1,
      offer: "spring",
      expiresAt: new Date(Date.now() + 9 * 86_400_000),
    });
    expect((await api.redeem("ann", metacode)).status).toBe(200);
    await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 5, offer: "spring" });
    expect(outcome(await api.claim("ann"))).toEqual([503, "NO_CODES_AVAILABLE"]);
  });
});

describe("races", () => {
  test("20 simultaneous claims of one referrer claim each reward once", async () => {
    const { tenant, api } = await earning(15, 20);
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.claim("ann")));
    const claimed = replies.flatMap(({ body }) => body.claimed_rewards ?? []);
    expect(claimed.map((reward) => reward.reward_number).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(claimed.map((reward) => reward.code)).size).toBe(5);
    expect((await rewardsOf(tenant)).filter(({ status }) => status === "claimed")).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(
      20 - replies.filter(({ status }) => status === 200).length,
    );
  });

  test("two referrers claiming from one small pool never share a code", async () => {
    const { tenant, api } = await earning(9, 4);
    const { metacode } = (await api.referrer("eve")).body;
    await refer(tenant, metacode, 9);
    const replies = await Promise.all(["ann", "eve", "ann", "eve"].map((uid) => api.claim(uid)));
    const claimed = replies.flatMap(({ body }) => body.claimed_rewards ?? []).map((reward) => reward.code);
    expect([claimed.length, new Set(claimed).size]).toEqual([4, 4]);
  });

  test("300 confirmed referrals at threshold 3 are 100 rewards, all claimed in one call", async () => {
    const { tenant, api } = await earning(300, 120);
    const { body } = await api.claim("ann");
    expect(body.message).toBe("Successfully claimed 100 rewards");
    const numbers = body.claimed_rewards.map((reward: { reward_number: number }) => reward.reward_number);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await rewardsOf(tenant)).toHaveLength(100);
  });
});

describe("a claim with an Idempotency-Key", () => {
  const headers = { "idempotency-key": "claim-1" };

  test("is answered again as it was; another body is a conflict", async () => {
    const { tenant, api, metacode } = await earning(3);
    const first = await api.claim("ann", headers);
    await refer(tenant, metacode, 3);
    const second = await api.claim("ann", headers);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(outcome(await api.claim("eve", headers))).toEqual([409, "CONFLICT"]);
    expect((await stats(api)).rewards_available).toBe(1);
  });

  test("that finds no code is not answered again: the next one has the code that arrived since", async () => {
    const { tenant, api } = await earning(3, 0);
    expect(outcome(await api.claim("ann", headers))).toEqual([503, "NO_CODES_AVAILABLE"]);
    await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 1 });
    expect((await api.claim("ann", headers)).status).toBe(200);
  });

  test("sent 10 times at once claims once", async () => {
    const { tenant, api } = await earning(6);
    const replies = await Promise.all(Array.from({ length: 10 }, () => api.claim("ann", headers)));
    const won = replies.filter(({ status }) => status === 200);
    expect(new Set(won.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    for (const reply of replies) if (reply.status !== 200) expect(outcome(reply)).toEqual([409, "CONFLICT"]);
    expect((await rewardsOf(tenant)).filter(({ status }) => status === "claimed")).toHaveLength(2);
  });
});
