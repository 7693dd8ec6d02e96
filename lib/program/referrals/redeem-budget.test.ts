import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { campaigns, refereesInLine } from "@/lib/platform/db/schema";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { blockedBackends } from "@/lib/testing/database/locks";
import { redeemingTenant } from "@/lib/testing/redeems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService();

test.each([
  ["with a budget, which each redeem locks, one statement of redeems runs at a time", 100, false],
  ["without a budget, several run at a time", null, true],
])("%s", async (_, budget, several) => {
  const { tenant, metacode } = await referringTenant({ codes: 60, campaign: { codeBudget: budget } });
  const { ctx } = tenant;
  const call = ctx.db.call.bind(ctx.db);
  const running: number[] = [];
  let now = 0;
  const spy = vi.spyOn(ctx.db, "call").mockImplementation(async (...args: Parameters<typeof call>) => {
    if (!args[0].name.startsWith("redeem_")) return call(...args);
    running.push(++now);
    return call(...args).finally(() => now--);
  });
  onTestFinished(() => spy.mockRestore());
  const redeem = (refereeUid: string) =>
    redeemMetacode(ctx, { refereeUid, metacode, platform: "ios", clickId: undefined });
  await Promise.all(Array.from({ length: 50 }, (_, n) => redeem(`bob${n}`)));
  // The first two begin before any result tells of the budget.
  expect(running.slice(2).some((count) => count > 1)).toBe(several);
});

test("a count of what a campaign has spent includes the redeem that was under way when it began", async () => {
  const { tenant, metacode } = await referringTenant({ codes: 5, campaign: { codeBudget: 5 } });
  const { ctx, campaignId } = tenant;
  const { counted } = await ctx.db.transaction(async (db) => {
    const bob = { refereeUid: "bob", metacode, platform: "ios", clickId: undefined } as const;
    await redeemMetacode({ ...ctx, db }, bob);
    const count = async () =>
      ctx.db.orm.execute(sql`select count_budget(${ctx.app.id}, ${campaignId}, null)`);
    const counted = count();
    await blockedBackends();
    return { counted };
  });
  await counted;
  const [campaign] = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.id, campaignId));
  expect(campaign?.spentCodes).toBe(1);
});

test("a budget that is lowered to what is spent ends the campaign for new referees although its pool is empty", async () => {
  const { tenant, redeem } = await redeemingTenant({ codes: 1, campaign: { codeBudget: 2 } });
  const { ctx, campaignId } = tenant;
  await redeem({ refereeUid: "bob" });
  expect(await redeem({ refereeUid: "eve" })).toBe("NO_CODES_AVAILABLE");
  await ctx.db.orm
    .update(campaigns)
    .set({ codeBudget: 1, recountAt: sql`now()` })
    .where(eq(campaigns.id, campaignId));
  expect(await redeem({ refereeUid: "kim" })).toBe("CAMPAIGN_INACTIVE");
  expect(await ctx.db.orm.$count(refereesInLine, eq(refereesInLine.appId, ctx.app.id))).toBe(1);
});

test.each([
  ["is spent", {}],
  ["was lowered to what is spent", { recountAt: sql`now()` }],
])(
  "a redeem beyond a cap that would be held is refused where the budget %s: no code could come",
  async (_, change) => {
    const app = { referrerDailyCap: 1, reviewsBeyondCaps: true };
    const { tenant, redeem } = await redeemingTenant({ app, campaign: { codeBudget: 2 } });
    const { ctx, campaignId } = tenant;
    const code = await redeem({ refereeUid: "bob" });
    expect(await redeem({ refereeUid: "eve" })).toBe("NO_CODES_AVAILABLE");
    await ctx.db.orm
      .update(campaigns)
      .set({ codeBudget: 1, ...change })
      .where(eq(campaigns.id, campaignId));
    for (const refereeUid of ["eve", "kim"]) expect(await redeem({ refereeUid })).toBe("CAMPAIGN_INACTIVE");
    expect(await redeem({ refereeUid: "bob" })).toBe(`ALREADY_REDEEMED ${code}`);
    const places = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
    expect(places).toMatchObject([{ refereeUid: "eve", state: "review" }]);
  },
);
