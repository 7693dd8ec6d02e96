import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { campaigns, rewards } from "@/lib/platform/db/schema";
import { getReferral } from "@/lib/program/referrals/get";
import { countRewards } from "@/lib/program/rewards/by-hand";
import { grantGoodwillReward } from "@/lib/program/rewards/goodwill";
import { listRewards } from "@/lib/program/rewards/list";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { refer } from "@/lib/testing/confirm";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService();

const reason = "Our mistake";

test("a goodwill reward is claimed like any other and takes none of those that referrals earn", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 2, codes: 20 });
  const ctx = asTeamMember(tenant.ctx);
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const grant = () => grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
  await refer(tenant, metacode, 1);
  // A confirmation at the same time earns its own number.
  const [granted] = await Promise.all([inParallel(3, 3, grant), refer(tenant, metacode, 1)]);
  const numbers = granted.map(({ rewardNumber }) => rewardNumber);
  expect(new Set(numbers).size).toBe(3);
  await refer(tenant, metacode, 2);
  const { stats, progress } = (await api.referrer("ann")).body;
  expect(stats).toMatchObject({ rewards_earned: 5, rewards_available: 5 });
  expect(progress.ios).toMatchObject({ current: 4, next_reward_at: 6, percentage: 0 });
  const { claimed_rewards: claimed } = (await api.claim("ann")).body;
  expect(claimed.map(({ reward_number }: { reward_number: number }) => reward_number)).toEqual([
    1, 2, 3, 4, 5,
  ]);
  expect(await auditOf(ctx)).toMatchObject(
    Array(3).fill({ action: "reward.goodwill", after: { platform: "ios", reason } }),
  );
});

test("of two agents who grant the same goodwill reward at once, the second is asked again", async () => {
  const { tenant, api } = await referringTenant({ threshold: 2 });
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const form = async () => ({
    ...asTeamMember(tenant.ctx),
    seen: JSON.stringify({ goodwill: await countRewards(tenant.ctx, referrerId, "goodwill") }),
  });
  const forms = [await form(), await form()];
  const grant = (ctx: Context) => grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
  const results = await Promise.allSettled(forms.map(grant));
  const [refusal] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusal).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("saved this") });
  const conflict = conflictOf(refusal);
  expect(conflict?.changes).toEqual([{ field: "goodwill", before: "1", after: "2" }]);
  expect(await countRewards(tenant.ctx, referrerId, "goodwill")).toBe(1);
  // The agent who has seen the other's reward may grant another.
  await grant({ ...asTeamMember(tenant.ctx), seen: conflict?.seen });
  expect(await countRewards(tenant.ctx, referrerId, "goodwill")).toBe(2);
});

test("a goodwill reward waits while the pool is empty, says why, and is claimed once codes are there", async () => {
  const { tenant, api } = await referringTenant({ threshold: 2, codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  await grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
  const refused = await api.claim("ann");
  expect([refused.status, refused.body.error.code]).toEqual([503, "NO_CODES_AVAILABLE"]);
  expect((await listRewards(ctx, referrerId)).data).toMatchObject([
    { status: "earned", waitsFor: "no_codes" },
  ]);
  await makeBatch(ctx, tenant.pools.ios.reward, "ios", { size: 1 });
  expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
});

test("a goodwill reward belongs to the active campaign, or else to the one that was activated or resumed last", async () => {
  const { tenant, api } = await referringTenant({ threshold: 2, campaign: { status: "paused" } });
  const ctx = asTeamMember(tenant.ctx);
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const later = new Date(Date.now() + 60_000);
  const next = await copyCampaign(tenant, { status: "paused", activatedAt: later });
  const grant = () => grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
  await grant();
  await ctx.db.orm.update(campaigns).set({ status: "active" }).where(eq(campaigns.id, tenant.campaignId));
  await grant();
  const resumedAt = new Date(Date.now() + 120_000);
  await ctx.db.orm
    .update(campaigns)
    .set({ status: "paused", resumedAt })
    .where(eq(campaigns.id, tenant.campaignId));
  await grant();
  const own = eq(rewards.appId, ctx.app.id);
  const rows = await ctx.db.orm.select().from(rewards).where(own).orderBy(rewards.createdAt);
  expect(rows.map(({ campaignId }) => campaignId)).toEqual([next, tenant.campaignId, tenant.campaignId]);
});

test("a referral counts towards no reward of goodwill, but towards the next one that referrals earn", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 2 });
  const ctx = asTeamMember(tenant.ctx);
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const [uid = ""] = await refer(tenant, metacode, 1);
  const rewardOf = async () =>
    (await getReferral(ctx, await referralIdOf(ctx, uid))).timeline.find(({ kind }) => kind === "reward");
  await grantGoodwillReward(ctx, { referrerId, platform: "ios", reason });
  expect(await rewardOf()).toBeUndefined();
  await refer(tenant, metacode, 1);
  expect(await rewardOf()).toMatchObject({ rewardNumber: 2 });
});
