import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { campaigns, codes, refillRules, rewards } from "@/lib/platform/db/schema";
import { quarantineBatch } from "@/lib/program/codes/batch-state";
import { copyCampaign } from "@/lib/testing/campaigns";
import { earnRewards } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";

useService();

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

test("a claim takes no code that expires within the safety margin, and waits as if there were none", async () => {
  const { tenant, api } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  await earnRewards(tenant, "ann", 1);
  const soon = await makeBatch(ctx, pools.ios.reward, "ios", { size: 1, expiresAt: inDays(0.5) });
  const refused = async () => {
    const { status, body } = await api.claim("ann");
    const stored = await ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));
    return [status, body.error?.code, ...stored.flatMap((reward) => [reward.status, reward.waitsFor])];
  };
  const waits = [503, "NO_CODES_AVAILABLE", "earned", "no_codes"];
  expect(await refused()).toEqual(waits);
  // A quarantined batch is the reason only if its return would help.
  await quarantineBatch(ctx, soon);
  expect(await refused()).toEqual(waits);
  const late = await makeBatch(ctx, pools.ios.reward, "ios", { size: 1, expiresAt: inDays(90) });
  const [reward] = (await api.claim("ann")).body.claimed_rewards;
  const stored = await ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id));
  expect(stored.find(({ code }) => code === reward.code)?.batchId).toBe(late);
});

test("codes that only the longer margin of a paused campaign excludes keep the refill from coming, so its rewards wait an hour", async () => {
  const { tenant, api } = await referringTenant({ codes: 0 });
  const { ctx, campaignId, pools } = tenant;
  const poolId = pools.ios.reward;
  const update = (values: Partial<typeof campaigns.$inferInsert>) =>
    ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.id, campaignId));
  const wait = async () => (await api.claim("ann")).headers.get("retry-after");
  await earnRewards(tenant, "ann", 1);
  await update({ status: "paused", safetyMarginHours: 30 * 24 });
  const rule = { threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  const offer = { offerType: "subscription", offerId: "1", offerName: "One month free" } as const;
  await ctx.db.orm.insert(refillRules).values({ appId: ctx.app.id, poolId, ...rule, ...offer });
  await makeBatch(ctx, poolId, "ios", { size: 6, expiresAt: inDays(20) });
  // The pool's only campaign: its margin is also that of the refill.
  expect(await wait()).toBe("300");
  await copyCampaign(tenant, { status: "ended", safetyMarginHours: 24 });
  expect(await wait()).toBe("300");
  const next = await copyCampaign(tenant, { safetyMarginHours: 24 });
  expect(await wait()).toBe("3600");
  await ctx.db.orm.update(refillRules).set({ threshold: 6 }).where(eq(refillRules.poolId, poolId));
  expect(await wait()).toBe("300");
  await ctx.db.orm.update(refillRules).set({ threshold: 5 }).where(eq(refillRules.poolId, poolId));
  await ctx.db.orm.update(campaigns).set({ safetyMarginHours: 480 }).where(eq(campaigns.id, next));
  expect(await wait()).toBe("300");
});
