import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { campaignPlatforms, outbox, rewards } from "@/lib/platform/db/schema";
import { outlookOf } from "@/lib/program/campaigns/outlook";
import { getCampaign } from "@/lib/program/campaigns/read";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { listReferrers } from "@/lib/program/referrers/list";
import { restoreReward, withdrawReward } from "@/lib/program/rewards/by-hand";
import { grantGoodwillReward } from "@/lib/program/rewards/goodwill";
import { updateCampaign } from "@/lib/testing/campaigns";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";
import type { TenantOptions } from "@/lib/testing/tenant";

useService();

const reason = "A ring of made-up users";

/** A referrer with confirmed referrals, and helpers. */
async function ring(confirmed: number, options: TenantOptions = {}) {
  const { tenant, api, metacode } = await referringTenant({ threshold: 3, codes: 60, ...options });
  const ctx = asTeamMember(tenant.ctx);
  const uids = await refer(tenant, metacode, confirmed);
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const list = () =>
    ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id)).orderBy(rewards.rewardNumber);
  const withStatus = async (status: string) =>
    (await list()).filter((row) => row.status === status).map(({ rewardNumber }) => rewardNumber);
  const emitted = async (type: string) =>
    ctx.db.orm.$count(outbox, and(eq(outbox.appId, ctx.app.id), eq(outbox.type, type)));
  const stats = async () => (await api.referrer("ann")).body.stats;
  const reverse = async (uid: string, withdraw?: "true") =>
    reverseReferral(ctx, { referralId: await referralIdOf(ctx, uid), reason, withdraw });
  return { tenant, ctx, api, metacode, uids, referrerId, list, withStatus, emitted, stats, reverse };
}

describe("a withdrawn reward", () => {
  test("can no longer be claimed, is neither available nor waiting, stays earned, and can be restored", async () => {
    const { ctx, api, list, stats, emitted, tenant } = await ring(6);
    const [, second] = await list();
    const rewardId = second?.id ?? "";
    await withdrawReward(ctx, { rewardId, reason });
    expect((await listReferrers(ctx, {})).data).toMatchObject([{ earned: 2, claimed: 0, withdrawn: 1 }]);
    expect(await stats()).toEqual({ referrals_count: 6, rewards_earned: 2, rewards_available: 1 });
    const campaign = await getCampaign(ctx, tenant.campaignId);
    expect(await outlookOf(ctx, campaign)).toMatchObject({ unclaimed: 1 });
    expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
    const refused = await api.claim("ann");
    expect([refused.status, refused.body.error.code]).toEqual([404, "NO_REWARDS_AVAILABLE"]);
    await expect(withdrawReward(ctx, { rewardId, reason })).rejects.toThrow("claimed or withdrawn");
    await restoreReward(ctx, { rewardId, reason: "A mistake" });
    await expect(restoreReward(ctx, { rewardId, reason: "A mistake" })).rejects.toThrow("not withdrawn");
    expect(await stats()).toMatchObject({ rewards_earned: 2, rewards_available: 1 });
    expect((await api.claim("ann")).body.claimed_rewards).toMatchObject([{ reward_number: 2 }]);
    await expect(withdrawReward(ctx, { rewardId, reason })).rejects.toThrow("already claimed or withdrawn");
    expect([await emitted("reward.withdrawn"), await emitted("reward.restored")]).toEqual([1, 1]);
    expect(await auditOf(ctx)).toMatchObject([
      { action: "reward.withdrawn", subjectId: rewardId, subjectName: "iOS 2", after: { reason } },
      { action: "reward.restored", subjectId: rewardId, after: { reason: "A mistake" } },
    ]);
  });

  test("of goodwill too, and its number is not earned again", async () => {
    const { ctx, referrerId, list, withStatus, tenant, metacode } = await ring(0);
    await grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
    await withdrawReward(ctx, { rewardId: (await list())[0]?.id ?? "", reason });
    await refer(tenant, metacode, 3);
    expect([await withStatus("withdrawn"), await withStatus("earned")]).toEqual([[1], [2]]);
  });

  test("is either claimed or withdrawn, when both happen at once", async () => {
    const app = await ring(12);
    const ids = (await app.list()).map(({ id }) => id);
    let withdrawn = 0;
    const withdraw = async (rewardId: string) => {
      await withdrawReward(app.ctx, { rewardId, reason });
      withdrawn++;
    };
    await Promise.allSettled(ids.flatMap((id) => [app.api.claim("ann"), withdraw(id)]));
    const claimed = await app.withStatus("claimed");
    expect(await app.withStatus("withdrawn")).toHaveLength(withdrawn);
    expect(claimed.length + withdrawn).toBe(4);
    expect(await app.emitted("reward.claimed")).toBe(claimed.length);
    expect(await app.stats()).toMatchObject({ rewards_earned: 4, rewards_available: 0 });
  });

  test("of another app is not found", async () => {
    const [mine, other] = [await ring(0), await ring(3)];
    const before = await rowsOfApp(other.ctx.app.id);
    const rewardId = (await other.list())[0]?.id ?? "";
    await expect(withdrawReward(mine.ctx, { rewardId, reason })).rejects.toThrow("no such reward");
    await expect(restoreReward(mine.ctx, { rewardId, reason: "A mistake" })).rejects.toThrow(
      "no such reward",
    );
    expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
  });
});

describe("a reversal that withdraws", () => {
  test("takes the unclaimed rewards of a ring, the last ones first, and leaves what the other referrals earn", async () => {
    const { api, uids, reverse, withStatus, stats, tenant, ctx } = await ring(6);
    await api.claim("ann");
    const more = await refer(tenant, (await api.referrer("ann")).body.metacode, 9);
    for (const uid of [...uids.slice(0, 2), ...more]) await reverse(uid, "true");
    // Four friends are left, who earn one reward; two are claimed.
    expect([await withStatus("claimed"), await withStatus("withdrawn")]).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    expect(await stats()).toMatchObject({ referrals_count: 4, rewards_earned: 5, rewards_available: 0 });
    expect((await api.claim("ann")).status).toBe(404);
    const actions = (await auditOf(ctx)).map(({ action }) => action);
    expect(actions.filter((action) => action === "reward.withdrawn")).toHaveLength(3);
  });

  test("leaves rewards that are still earned, and without the box all of them", async () => {
    const { uids, reverse, withStatus } = await ring(7);
    const [first = "", second = "", third = ""] = uids;
    await reverse(first, "true");
    expect(await withStatus("withdrawn")).toEqual([]);
    await reverse(second);
    expect(await withStatus("withdrawn")).toEqual([]);
    await reverse(third, "true");
    expect(await withStatus("earned")).toEqual([1, 2]);
  });

  test("takes nothing that was earned by a lower threshold", async () => {
    const { uids, reverse, withStatus, tenant, ctx } = await ring(6);
    await ctx.db.orm
      .update(campaignPlatforms)
      .set({ threshold: 50 })
      .where(eq(campaignPlatforms.campaignId, tenant.campaignId));
    await reverse(uids[0] ?? "", "true");
    expect(await withStatus("earned")).toEqual([1, 2]);
  });

  test("is undone with it, by hand or by the provider", async () => {
    const { uids, reverse, withStatus, ctx, emitted } = await ring(3);
    const [uid = ""] = uids;
    const referralId = await referralIdOf(ctx, uid);
    await reverse(uid, "true");
    await restoreReferral(ctx, { referralId, reason: "A mistake" });
    expect(await withStatus("earned")).toEqual([1]);
    await reverse(uid, "true");
    await applyEvent(ctx, uid, "reverse");
    expect(await withStatus("withdrawn")).toEqual([1]);
    await applyEvent(ctx, uid, "restore");
    expect([await withStatus("earned"), await emitted("reward.restored")]).toEqual([[1], 2]);
    expect((await auditOf(ctx)).map(({ action }) => action)).toEqual([
      "referral.reversed",
      "reward.withdrawn",
      "referral.restored",
      "reward.restored",
      "referral.reversed",
      "reward.withdrawn",
    ]);
  });

  test("returns the reward once another referral makes it due again", async () => {
    const { uids, reverse, withStatus, emitted, tenant, metacode } = await ring(6);
    for (const uid of uids.slice(0, 4)) await reverse(uid, "true");
    expect(await withStatus("withdrawn")).toEqual([1, 2]);
    await refer(tenant, metacode, 1);
    expect([await withStatus("earned"), await withStatus("withdrawn")]).toEqual([[1], [2]]);
    await refer(tenant, metacode, 6);
    expect(await withStatus("earned")).toEqual([1, 2, 3]);
    expect(await emitted("reward.restored")).toBe(2);
  });

  test("gives no reward back that the remaining referrals do not make due", async () => {
    const { uids, reverse, withStatus, ctx } = await ring(2, { threshold: 2 });
    const [ann = "", bob = ""] = uids;
    await reverse(ann, "true");
    await reverse(bob);
    await restoreReferral(ctx, { referralId: await referralIdOf(ctx, ann), reason: "A mistake" });
    expect(await withStatus("withdrawn")).toEqual([1]);
    await restoreReferral(ctx, { referralId: await referralIdOf(ctx, bob), reason: "A mistake" });
    expect(await withStatus("earned")).toEqual([1]);
    expect((await auditOf(ctx)).map(({ action }) => action).slice(-2)).toEqual([
      "referral.restored",
      "reward.restored",
    ]);
  });

  test.each([[[0, 3]], [[3, 0]]])("and is undone in any order leaves what is due: %j", async (order) => {
    const { uids, reverse, withStatus, ctx } = await ring(6);
    for (const uid of uids.slice(0, 4)) await reverse(uid, "true");
    for (const at of order) {
      await restoreReferral(ctx, {
        referralId: await referralIdOf(ctx, uids[at] ?? ""),
        reason: "A mistake",
      });
    }
    expect(await withStatus("earned")).toHaveLength(1);
    expect(await withStatus("withdrawn")).toHaveLength(1);
  });

  test("leaves the progress towards that reward, and a lower threshold gives it back", async () => {
    const { uids, reverse, withStatus, tenant, api, ctx } = await ring(5, { threshold: 5 });
    await reverse(uids[0] ?? "", "true");
    const progress = async () => (await api.referrer("ann")).body.progress.ios;
    expect(await progress()).toEqual({ current: 4, threshold: 5, next_reward_at: 5, percentage: 80 });
    const campaign = await getCampaign(ctx, tenant.campaignId);
    expect(await outlookOf(ctx, campaign)).toMatchObject({ referrers: 1 });
    const rules = {
      name: "Launch",
      platforms: {
        ios: { threshold: 4, refereePoolId: tenant.pools.ios.referee, rewardPoolId: tenant.pools.ios.reward },
      },
    };
    const counts = { referrers: 1, rewards: 1, waiting: 0, free: 2, budget: null };
    const due = [{ platform: "ios", ...counts, rewardsOn: "friend" }];
    expect(await updateCampaign(ctx, tenant.campaignId, rules)).toEqual({ saved: false, due });
    await updateCampaign(ctx, tenant.campaignId, rules, 1);
    expect([await withStatus("earned"), await withStatus("withdrawn")]).toEqual([[1], []]);
    expect(await progress()).toEqual({ current: 4, threshold: 4, next_reward_at: 8, percentage: 0 });
    await refer(tenant, (await api.referrer("ann")).body.metacode, 4);
    expect(await withStatus("earned")).toEqual([1, 2]);
  });

  test("does not withdraw one that a member gave back since", async () => {
    const { uids, reverse, withStatus, ctx, list } = await ring(3);
    await reverse(uids[0] ?? "", "true");
    await restoreReward(ctx, { rewardId: (await list())[0]?.id ?? "", reason: "A mistake" });
    await restoreReferral(ctx, { referralId: await referralIdOf(ctx, uids[0] ?? ""), reason: "A mistake" });
    expect(await withStatus("earned")).toEqual([1]);
  });

  test("and claims of the same referrer at once leave each reward claimed or withdrawn", async () => {
    const { uids, reverse, withStatus, api, stats } = await ring(12);
    await Promise.all([...uids.map((uid) => reverse(uid, "true")), ...uids.map(() => api.claim("ann"))]);
    const [claimed, withdrawn] = [await withStatus("claimed"), await withStatus("withdrawn")];
    expect(claimed.length + withdrawn.length).toBe(4);
    expect(await stats()).toMatchObject({ referrals_count: 0, rewards_earned: 4, rewards_available: 0 });
  });
});
