import { expect, onTestFinished, test, vi } from "vitest";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
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
