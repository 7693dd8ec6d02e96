import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { campaignPlatforms, campaigns, rewards } from "@/lib/platform/db/schema";
import { listRewards } from "@/lib/program/rewards/list";
import { clientOf } from "@/lib/testing/client";
import { earnRewards, refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

useService();

/** A referrer `ann` with some confirmed referrals, in a campaign that pays on the referrer's own platform. */
async function earning(referrals: number, rewardCodes: number, options: TenantOptions) {
  const tenant = await makeTenant({ threshold: 3, ...options, codes: 0 });
  await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: referrals });
  await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: rewardCodes });
  const api = clientOf(tenant.key);
  await refer(tenant, (await api.referrer("ann")).body.metacode, referrals);
  return { tenant, api };
}

const rewardsOf = ({ ctx }: Tenant) => ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));

describe("a reward on the referrer's own platform", () => {
  test("is a code of that pool; counts and numbers stay those of the friends' platform", async () => {
    const { tenant, api } = await earning(3, 10, { campaign: { rewardsOn: "referrer" } });
    await makeBatch(tenant.ctx, tenant.pools.android.reward, "android", { size: 5 });
    const { progress } = (await api.referrer("ann")).body;
    const { claimed_rewards } = (await api.claim("ann", {}, { platform: "android" })).body;
    expect(claimed_rewards).toMatchObject([{ platform: "android", reward_number: 1 }]);
    expect(claimed_rewards[0].store_url).toContain("play.google.com");
    expect((await api.claim("ann")).body.recent_claims).toEqual(claimed_rewards);
    expect((await api.referrer("ann")).body.progress).toEqual(progress);
    expect(await rewardsOf(tenant)).toMatchObject([{ platform: "ios", status: "claimed" }]);
    const { referrer_id: id } = (await api.referrer("ann")).body;
    expect((await listRewards(tenant.ctx, id)).data).toMatchObject([{ platform: "ios", paidOn: "android" }]);
  });

  test.each([
    ["metadata", "referrer", { platform: "Android" }, {}, "android"],
    ["the claim before metadata", "referrer", { platform: "android" }, { platform: "ios" }, "ios"],
    ["the friend where it is unknown", "referrer", undefined, { platform: "windows" }, "ios"],
    ["the friend by default", "friend", { platform: "android" }, { platform: "android" }, "ios"],
  ] as const)("is known from %s", async (_, rewardsOn, metadata, extra, platform) => {
    const tenant = await makeTenant({ threshold: 1, campaign: { rewardsOn } });
    const api = clientOf(tenant.key);
    await refer(tenant, (await api.referrer("kim", metadata)).body.metacode, 1);
    expect((await api.claim("kim", {}, extra)).body.claimed_rewards).toMatchObject([{ platform }]);
  });

  test("waits on the platform of the next claim where none was tried, whatever an earlier claim tried", async () => {
    const { tenant, api } = await earning(6, 0, { campaign: { rewardsOn: "referrer" } });
    await makeBatch(tenant.ctx, tenant.pools.android.reward, "android", { size: 1 });
    await tenant.ctx.db.orm
      .update(rewards)
      .set({ waitsOn: "android" })
      .where(and(eq(rewards.appId, tenant.ctx.app.id), eq(rewards.rewardNumber, 1)));
    const { referrer_id: id } = (await api.referrer("ann")).body;
    const { data: listed } = await listRewards(tenant.ctx, id);
    expect(listed.sort((a, b) => a.rewardNumber - b.rewardNumber)).toMatchObject([
      { paidOn: "android", waitsFor: null },
      { paidOn: "ios", waitsFor: "no_codes" },
    ]);
  });

  test("waits for nothing once the campaign's rules lead the next claim to codes, whatever the last claim tried", async () => {
    const { tenant, api } = await earning(6, 0, { campaign: { rewardsOn: "referrer" } });
    const { ctx, pools } = tenant;
    expect((await api.claim("ann", {}, { platform: "android" })).status).toBe(503);
    await makeBatch(ctx, pools.ios.reward, "ios", { size: 9 });
    const { referrer_id: id } = (await api.referrer("ann")).body;
    const shown = async () => [
      (await api.referrer("ann")).body.stats.rewards_waiting,
      ...(await listRewards(ctx, id)).data.map(({ paidOn, waitsFor }) => `${paidOn} ${waitsFor}`),
    ];
    expect(await shown()).toEqual([2, "android no_codes", "android no_codes"]);
    await ctx.db.orm.update(campaigns).set({ rewardsOn: "friend" }).where(eq(campaigns.appId, ctx.app.id));
    expect(await shown()).toEqual([undefined, "ios null", "ios null"]);
    expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(2);
  });

  test("waits for nothing once the campaign pays on it, although a claim before found no code of the friend's", async () => {
    const { tenant, api } = await earning(0, 0, {});
    await api.referrer("kim", { platform: "android" });
    await earnRewards(tenant, "kim", 2);
    expect((await api.claim("kim")).status).toBe(503);
    await makeBatch(tenant.ctx, tenant.pools.android.reward, "android", { size: 5 });
    const own = eq(campaigns.appId, tenant.ctx.app.id);
    await tenant.ctx.db.orm.update(campaigns).set({ rewardsOn: "referrer" }).where(own);
    expect((await api.referrer("kim")).body.stats.rewards_waiting).toBeUndefined();
    expect((await api.claim("kim")).body.claimed_rewards).toHaveLength(2);
  });

  test("is a code of the friend's platform where the campaign has no other pool, and else waits", async () => {
    const { tenant, api } = await earning(6, 1, { campaign: { rewardsOn: "referrer" } });
    const android = { platform: "android" };
    const waits = async () => (await rewardsOf(tenant)).map(({ waitsOn }) => waitsOn);
    expect((await api.claim("ann", {}, android)).status).toBe(503);
    expect(await waits()).toEqual(["android", "android"]);
    const { referrer_id: id } = (await api.referrer("ann")).body;
    expect((await listRewards(tenant.ctx, id)).data).toMatchObject(
      Array(2).fill({ platform: "ios", paidOn: "android" }),
    );
    await tenant.ctx.db.orm
      .update(campaignPlatforms)
      .set({ rewardPoolId: null })
      .where(and(eq(campaignPlatforms.appId, tenant.ctx.app.id), eq(campaignPlatforms.platform, "android")));
    expect((await api.claim("ann", {}, android)).body.claimed_rewards).toMatchObject([{ platform: "ios" }]);
  });

  test("waits for nothing once the platform that the claim named gets a pool, which it had not then", async () => {
    const { tenant, api } = await earning(3, 0, { campaign: { rewardsOn: "referrer" } });
    const { ctx, pools } = tenant;
    const onAndroid = and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.platform, "android"));
    const setPool = (rewardPoolId: string | null) =>
      ctx.db.orm.update(campaignPlatforms).set({ rewardPoolId }).where(onAndroid);
    await setPool(null);
    expect((await api.claim("ann", {}, { platform: "android" })).status).toBe(503);
    await makeBatch(ctx, pools.android.reward, "android", { size: 5 });
    await setPool(pools.android.reward);
    expect((await api.referrer("ann")).body.stats).not.toHaveProperty("rewards_waiting");
    expect((await api.claim("ann", {}, { platform: "android" })).status).toBe(200);
  });
});
