import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import type { CampaignQuery } from "@/lib/contract/campaign-view";
import { campaigns, referrerProgress } from "@/lib/platform/db/schema";
import { copyCampaign, updateCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { campaignPage } from "./outlook";

useService();

test("rewards paid on the referrer's own platform are shown beside the free codes of all reward pools", async () => {
  const { ctx, campaignId, pools } = await makeTenant({ threshold: 5, codes: 0 });
  const key = { appId: ctx.app.id, campaignId, referrerId: uuidv7(), confirmed: 4 };
  await ctx.db.orm.insert(referrerProgress).values({ ...key, platform: "ios" });
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 1 });
  await makeBatch(ctx, pools.android.reward, "android", { size: 2 });
  const rule = (platform: "ios" | "android", threshold: number) => ({
    threshold,
    rewardPoolId: pools[platform].reward,
  });
  const update = async (rewardsOn: "friend" | "referrer", android = true) =>
    (
      await updateCampaign(ctx, campaignId, {
        name: "Launch",
        rewardsOn,
        platforms: { ios: rule("ios", 2), ...(android && { android: rule("android", 5) }) },
      })
    ).due;
  await ctx.db.orm.update(campaigns).set({ rewardsOn: "referrer" }).where(eq(campaigns.id, campaignId));
  expect(await update("friend")).toMatchObject([{ rewardsOn: "friend", rewards: 2, free: 1 }]);
  expect(await update("referrer")).toMatchObject([{ rewardsOn: "referrer", rewards: 2, free: 3 }]);
  expect(await update("referrer", false)).toMatchObject([{ free: 1 }]);
});

test("the rewards that become due are shown beside what the new budget still pays, also where nothing was counted yet", async () => {
  const { ctx, campaignId } = await makeTenant({ threshold: 5, codes: 0 });
  const key = { appId: ctx.app.id, campaignId, referrerId: uuidv7(), confirmed: 4, earned: 1, claimed: 1 };
  await ctx.db.orm.insert(referrerProgress).values({ ...key, platform: "ios" });
  const platforms = { ios: { threshold: 2 } };
  for (const [rewardBudget, budget] of [
    [null, null],
    [3, 2],
    [1, 0],
  ] as const) {
    const { due } = await updateCampaign(ctx, campaignId, { name: "Launch", rewardBudget, platforms });
    expect(due).toMatchObject([{ rewards: 1, budget }]);
  }
});

test("the list of campaigns has pages, newest first or by a figure of all", async () => {
  const tenant = await makeTenant({ codes: 5 });
  const { ctx, campaignId: first } = tenant;
  const api = clientOf(tenant.key);
  await api.redeem("bob", (await api.referrer("ann")).body.metacode);
  const second = await copyCampaign(tenant, { status: "draft" });
  const third = await copyCampaign(tenant, { status: "draft" });
  const page = async (query: CampaignQuery) => {
    const { data, nextCursor } = await campaignPage(ctx, query, 2);
    return [...data.map(({ id, recent }) => `${id} ${recent.length}`), nextCursor];
  };
  expect(await page({})).toEqual([`${third} 30`, `${second} 30`, second]);
  expect(await page({ cursor: second })).toEqual([`${first} 30`, null]);
  // The figures changed, so that the row of the cursor has become the last.
  expect(await page({ cursor: first })).toEqual(await page({}));
  expect(await page({ sort: "assigned" })).toEqual([`${first} 30`, `${third} 30`, third]);
  expect(await page({ sort: "assigned", cursor: third })).toEqual([`${second} 30`, null]);
});
