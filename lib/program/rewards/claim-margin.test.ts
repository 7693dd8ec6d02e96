import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { codes, rewards } from "@/lib/platform/db/schema";
import { quarantineBatch } from "@/lib/program/codes/batch-state";
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
