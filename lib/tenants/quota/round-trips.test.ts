import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { campaignPlatforms, pools } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

// A key is looked up again every few seconds, and a test may take longer on a busy machine.
beforeEach(() => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => void clock.mockRestore());
});

const called = (name: string) => [expect.stringMatching(new RegExp(`^select ${name}\\(`))];

test.each([["free"], ["pro"]] as const)("one round trip a request on the %s plan", async (plan) => {
  const { key } = await makeTenant({ plan });
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  // The first requests of a process fetch the key and, on large plans, a share of the quota.
  await api.referrer("ann");
  await api.redeem("first", metacode);
  expect(await statementsOf(() => api.referrer("ann"))).toEqual(called("get_referrer"));
  expect(await statementsOf(() => api.redeem("bob", metacode))).toEqual(called("redeem_metacode"));
  expect(await statementsOf(() => api.claim("ann"))).toEqual(called("claim_rewards"));
  expect(await statementsOf(() => api.redeem("bob", "test123"))).toEqual(
    plan === "free" ? called("take_quota") : [],
  );
});

test.each([
  [0, 200],
  [14, 404],
])(
  "one round trip a request with every rule of a campaign and a hold of %i days",
  async (holdDays, claimed) => {
    const { key, ctx } = await makeTenant({
      plan: "free",
      threshold: 1,
      offer: "Spring",
      campaign: {
        holdDays,
        refuseReciprocal: true,
        codeBudget: 100,
        rewardBudget: 100,
        rewardsOn: "referrer",
        confirmOn: "paid",
      },
    });
    const own = eq(campaignPlatforms.appId, ctx.app.id);
    await ctx.db.orm.update(campaignPlatforms).set({ hasLine: true, rewardCap: 5 }).where(own);
    await ctx.db.orm
      .update(pools)
      .set({ offers: ["Autumn", "Spring"], onePerOffer: true })
      .where(eq(pools.appId, ctx.app.id));
    const api = clientOf(key);
    const { metacode } = (await api.referrer("ann", { platform: "android" })).body;
    await api.redeem("first", metacode);
    await applyEvent(ctx, "first");
    const replies: number[] = [];
    const statements = await statementsOf(async () => {
      replies.push((await api.referrer("ann")).status);
      replies.push((await api.redeem("bob", metacode)).status);
      replies.push((await api.redeem("ann", metacode)).status);
      replies.push((await api.claim("ann")).status);
    });
    expect(replies).toEqual([200, 200, 409, claimed]);
    expect(statements).toEqual([
      ...called("get_referrer"),
      ...called("redeem_metacode"),
      ...called("redeem_metacode"),
      ...called("claim_rewards"),
    ]);
  },
);

test("a share of a large quota costs one more statement in 50 requests", async () => {
  const { key } = await makeTenant({ plan: "pro" });
  const api = clientOf(key);
  await api.referrer("ann");
  await api.referrer("ann");
  const statements = await statementsOf(async () => {
    for (let request = 0; request < 200; request++) await api.referrer("ann");
  });
  expect(statements.filter((text) => text.includes("get_referrer"))).toHaveLength(200);
  expect(statements.filter((text) => text.includes("take_quota")).length).toBeLessThanOrEqual(5);
  // A key is looked up again every few seconds.
  expect(statements.filter((text) => !text.includes('"api_keys"')).length).toBeLessThanOrEqual(205);
});

test("a refused key costs none", async () => {
  const { key } = await makeTenant();
  const last = key.at(-1) === "0" ? "1" : "0";
  const statements = await statementsOf(() => clientOf(key.slice(0, -1) + last).referrer("ann"));
  expect(statements).toEqual([]);
});
