import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { campaigns } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

/** A campaign in which Ann has earned two rewards, and no codes. */
async function earned() {
  const tenant = await makeTenant({ codes: 0 });
  const { ctx, campaignId } = tenant;
  await earnRewards(tenant, "ann", 2);
  const update = (values: Partial<typeof campaigns.$inferInsert>) =>
    ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.id, campaignId));
  const waiting = async () => (await detect(ctx)).filter(({ kind }) => kind === "rewards_waiting");
  return { tenant, update, waiting };
}

test("rewards whose budget is used up need no other offer, whether their campaign is active, paused or has ended", async () => {
  const { tenant, update, waiting } = await earned();
  await makeBatch(tenant.ctx, tenant.pools.ios.reward, "ios", { size: 60, offer: "Spring" });
  await update({ rewardBudget: 1 });
  expect((await clientOf(tenant.key).claim("ann")).status).toBe(200);
  for (const status of ["active", "paused", "ended"] as const) {
    await update({ status, rewardBudget: 1 });
    expect(await waiting()).toEqual([]);
    await update({ rewardBudget: 2 });
    expect(await waiting()).toMatchObject([{ title: "1 person needs a second iOS offer" }]);
  }
});
