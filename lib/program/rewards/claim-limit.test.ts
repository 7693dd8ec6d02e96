import { and, eq } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { campaignPlatforms, codes, outbox, rewards } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant, type TenantOptions } from "@/lib/testing/tenant";

useService();

/** Most rewards of a claim in these tests: a tenth, so that the tests of a busy cluster reach it in time. */
const LIMIT = 50;

/** Replaces the limit by one that takes `seconds` for each reward. */
const replaceLimit = (seconds: number) =>
  database().pool.query(`create or replace function claim_limit() returns int language plpgsql as $$
    begin perform pg_sleep(${seconds}); return ${LIMIT}; end $$`);

beforeAll(async () => {
  const { rows } = await database().pool.query("select claim_limit() as rewards");
  expect(rows).toEqual([{ rewards: 10 * LIMIT }]);
  await replaceLimit(0);
});

/** A referrer `ann` with `earned` rewards for friends on iOS, and `size` codes for them. */
async function earning(earned: number, size: number, campaign: TenantOptions["campaign"] = {}) {
  const tenant = await makeTenant({ codes: 0, campaign });
  const { ctx, pools } = tenant;
  if (size > 0) await makeBatch(ctx, pools.ios.reward, "ios", { size });
  await earnRewards(tenant, "ann", earned);
  const api = clientOf(tenant.key);
  const claim = async (headers = {}, extra = {}) => {
    const { status, body } = await api.claim("ann", headers, extra);
    return [status, body.message ?? body.error.code];
  };
  const stats = async () => {
    const { rewards_available: available, rewards_waiting: waiting = 0 } = (await api.referrer("ann")).body
      .stats;
    return { available, waiting };
  };
  return { tenant, api, claim, stats };
}

test("a claim whose rewards take long claims those that it has time for, and the next one goes on", async () => {
  const { api, stats } = await earning(30, 30);
  await replaceLimit(0.25);
  onTestFinished(async () => void (await replaceLimit(0)));
  const numbers: number[] = [];
  for (let claims = 0; claims < 2; claims++) {
    const { status, body } = await api.claim("ann");
    expect(status).toBe(200);
    numbers.push(
      ...body.claimed_rewards.map(({ reward_number: number }: { reward_number: number }) => number),
    );
  }
  expect(numbers).toEqual(Array.from(numbers, (_, n) => n + 1));
  expect(await stats()).toEqual({ available: 30 - numbers.length, waiting: 0 });
});

test("500 rewards are claimed by 50, each once, and those that are left can be claimed meanwhile", async () => {
  const { tenant, api, stats } = await earning(500, 500);
  const { ctx } = tenant;
  const claimed: { reward_id: string; reward_number: number; code: string }[] = [];
  for (let left = 500 - LIMIT; left >= 0; left -= LIMIT) {
    const { status, body } = await api.claim("ann");
    expect([status, body.message]).toEqual([200, "Successfully claimed 50 rewards"]);
    claimed.push(...body.claimed_rewards);
    expect(await stats()).toEqual({ available: left, waiting: 0 });
  }
  expect((await api.claim("ann")).body.error.code).toBe("NO_REWARDS_AVAILABLE");
  expect(claimed.map(({ reward_number }) => reward_number)).toEqual(
    Array.from({ length: 500 }, (_, n) => n + 1),
  );
  const held = await ctx.db.orm
    .select({ reward: codes.assignmentId, code: codes.code })
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.redeemedByUid, "ann")));
  expect(new Map(held.map(({ reward, code }) => [reward, code]))).toEqual(
    new Map(claimed.map(({ reward_id, code }) => [reward_id, code])),
  );
  expect(new Set(held.map(({ code }) => code)).size).toBe(500);
  expect(
    await ctx.db.orm.$count(outbox, and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "reward.claimed"))),
  ).toBe(500);
});

test("simultaneous claims at the limit claim each reward once", async () => {
  const { api } = await earning(120, 130);
  const replies = await Promise.all(Array.from({ length: 4 }, () => api.claim("ann")));
  const claimed = replies.map(({ body }) => body.claimed_rewards ?? []);
  expect(claimed.map((list) => list.length).sort((a, b) => a - b)).toEqual([0, 20, 50, 50]);
  expect(new Set(claimed.flat().map(({ reward_number }) => reward_number)).size).toBe(120);
});

test("a claim at the limit counts as waiting only what the next claim finds no code for", async () => {
  const { api, claim, stats } = await earning(70, 60);
  expect(await claim()).toEqual([200, "Successfully claimed 50 rewards, 10 more are waiting for codes"]);
  expect(await stats()).toEqual({ available: 20, waiting: 10 });
  expect(await claim()).toEqual([200, "Successfully claimed 10 rewards, 10 more are waiting for codes"]);
  expect(await stats()).toEqual({ available: 10, waiting: 10 });
  const refused = await api.claim("ann");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "3600"]);
});

test("a claim at the limit counts those beyond the budget, of both platforms", async () => {
  const { tenant, claim, stats } = await earning(100, 200, { rewardBudget: 90 });
  await earnRewards(tenant, "ann", 20, "android");
  await makeBatch(tenant.ctx, tenant.pools.android.reward, "android", { size: 5 });
  // Android comes first, as in every claim.
  expect(await claim()).toEqual([200, "Successfully claimed 50 rewards, 15 more are waiting for codes"]);
  expect(await stats()).toEqual({ available: 70, waiting: 30 });
  expect(await claim()).toEqual([200, "Successfully claimed 40 rewards, 15 more are waiting for codes"]);
});

test("rewards beyond the budget are not said to wait for codes, and once the campaign has ended a claim finds none of them", async () => {
  const { tenant, api, claim, stats } = await earning(5, 10, { rewardBudget: 3 });
  expect(await claim()).toEqual([200, "Successfully claimed 3 rewards"]);
  const refused = async () => {
    const { status, body, headers } = await api.claim("ann");
    return [status, body.error.code, headers.get("retry-after"), body.recent_claims.length];
  };
  expect(await refused()).toEqual([503, "NO_CODES_AVAILABLE", "86400", 3]);
  await endCampaign(tenant.ctx, tenant.campaignId);
  expect(await refused()).toEqual([404, "NO_REWARDS_AVAILABLE", null, 3]);
  expect(await stats()).toEqual({ available: 2, waiting: 2 });
});

test("rewards of an ended campaign without a pool for them wait for nothing, beside others that wait for codes", async () => {
  const { tenant, api } = await earning(1, 0);
  const { ctx, campaignId } = tenant;
  await earnRewards(tenant, "ann", 1, "android");
  await endCampaign(ctx, campaignId);
  const on = (platform: "ios" | "android") =>
    and(
      eq(campaignPlatforms.appId, ctx.app.id),
      eq(campaignPlatforms.campaignId, campaignId),
      eq(campaignPlatforms.platform, platform),
    );
  const refused = async () => {
    const { status, headers } = await api.claim("ann");
    return [status, headers.get("retry-after")];
  };
  await ctx.db.orm.delete(campaignPlatforms).where(on("android"));
  expect(await refused()).toEqual([503, "3600"]);
  await ctx.db.orm.update(campaignPlatforms).set({ rewardPoolId: null }).where(on("ios"));
  expect(await refused()).toEqual([404, null]);
});

test("the rest of a claim at the limit is counted for the platform that the claim named", async () => {
  const { tenant, claim, stats } = await earning(70, 0, { rewardsOn: "referrer" });
  await makeBatch(tenant.ctx, tenant.pools.android.reward, "android", { size: 70 });
  const android = { platform: "android" };
  expect(await claim({}, android)).toEqual([200, "Successfully claimed 50 rewards"]);
  expect(await stats()).toEqual({ available: 20, waiting: 0 });
  expect(await claim({}, android)).toEqual([200, "Successfully claimed 20 rewards"]);
});

test("an Idempotency-Key repeats a claim at the limit, and another one claims the rest", async () => {
  const { api } = await earning(60, 60);
  const first = await api.claim("ann", { "idempotency-key": "one" });
  const rest = await api.claim("ann", { "idempotency-key": "two" });
  expect([first, rest].map(({ body }) => body.claimed_rewards.length)).toEqual([50, 10]);
  expect((await api.claim("ann", { "idempotency-key": "one" })).body).toEqual(first.body);
});

test("an empty claim lists the claims before one at the limit too, because their responses may be lost", async () => {
  const { api } = await earning(120, 120);
  const claims = [await api.claim("ann"), await api.claim("ann"), await api.claim("ann")];
  const { recent_claims } = (await api.claim("ann")).body;
  expect(recent_claims).toEqual(claims.flatMap(({ body }) => body.claimed_rewards));
});

test("16,000 rewards of one offer wait, of each platform and each with its reason, after a claim of one per platform", async () => {
  const { tenant, api, claim, stats } = await earning(8000, 0);
  const { ctx, pools } = tenant;
  await earnRewards(tenant, "ann", 8000, "android");
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 10, offer: "spring" });
  await makeBatch(ctx, pools.android.reward, "android", { size: 1 });
  expect(await claim()).toEqual([200, "Successfully claimed 2 rewards, 15,998 more are waiting for codes"]);
  expect(await claim()).toEqual([503, "NO_CODES_AVAILABLE"]);
  expect(await stats()).toEqual({ available: 15_998, waiting: 15_998 });
  for (const [platform, waitsFor] of [
    ["ios", "same_offer"],
    ["android", "no_codes"],
  ] as const) {
    const waiting = and(
      eq(rewards.platform, platform),
      eq(rewards.waitsFor, waitsFor),
      eq(rewards.status, "earned"),
    );
    expect(await ctx.db.orm.$count(rewards, and(eq(rewards.appId, ctx.app.id), waiting))).toBe(7999);
  }
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 3, offer: "summer" });
  expect((await api.claim("ann")).body.claimed_rewards).toMatchObject([
    { platform: "ios", reward_number: 2 },
  ]);
});
