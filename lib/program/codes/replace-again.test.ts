import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { ReplaceCode } from "@/components/referral/code-actions";
import { maskCode } from "@/lib/contract/code-file";
import { campaignPlatforms, campaigns, offerTakers, referrals, referrers } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { exportEndUser } from "@/lib/program/end-users/export";
import { createPool } from "@/lib/program/pools/pools";
import { getReferral } from "@/lib/program/referrals/get";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { assigned, codesAssigned } from "@/lib/testing/assigned-code";
import { copyCampaign } from "@/lib/testing/campaigns";
import { applyEvent } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { replaceCodeOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService();

const reason = "The store says it is invalid";

describe("a code that replaced another one", () => {
  test("is replaced in its turn; a retry, the referral and the export show the last one", async () => {
    const eve = await assigned();
    await eve.ask("second");
    const texts = [eve.code];
    for (const why of ["Expired", "Expired too"]) {
      await replaceCodeOf(eve.ctx, eve.assignmentId, why);
      texts.push((await codesAssigned(eve, eve.assignmentId))[0]?.code ?? "");
    }
    const [first, second, third] = texts;
    expect(new Set(texts).size).toBe(3);
    expect([await eve.ask("first"), await eve.ask("second"), await eve.ask()]).toEqual([third, third, third]);
    const view = await getReferral(eve.ctx, eve.assignmentId);
    expect(view.code).toMatchObject({ code: maskCode(third ?? ""), status: "assigned" });
    const steps = view.timeline.flatMap((entry) =>
      entry.kind === "code_replaced" ? [[entry.old?.code, entry.reason]] : [],
    );
    expect(steps).toEqual([
      [maskCode(first ?? ""), "Expired"],
      [maskCode(second ?? ""), "Expired too"],
    ]);
    expect(view.timeline[0]).toMatchObject({ kind: "code_assigned", code: { code: maskCode(first ?? "") } });
    expect((await exportEndUser(eve.ctx, "eve")).referrals).toMatchObject([
      { code: third, replaced_codes: [{ code: first }, { code: second }] },
    ]);
    expect(await applyEvent(eve.ctx, "eve")).toBe("confirmed");
    expect((await codesAssigned(eve, eve.assignmentId)).map(({ code, status }) => [code, status])).toEqual([
      [third, "confirmed"],
    ]);
  });

  test("comes from a batch that has not failed, while there is one", async () => {
    const eve = await assigned({ codes: 20 });
    const batchNow = async () => (await codesAssigned(eve, eve.assignmentId))[0]?.batchId;
    const used = [await batchNow()];
    for (let n = 0; n < 2; n++) await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 1 });
    for (let n = 0; n < 3; n++) {
      await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
      used.push(await batchNow());
    }
    expect(new Set(used.slice(0, 3)).size).toBe(3);
    expect(used[3]).toBe(used[0]);
  });
});

test("a dialog promises the new code at a retry only while the metacode does not lead to another campaign", async () => {
  const { ctx, assignmentId, ...eve } = await assigned({ codes: 2 });
  const next = async (retryHours = 24) => {
    const { moved } = await getReferral(ctx, assignmentId);
    const props = { appId: "", codeId: "", holder: "referee", retryHours, moved, assignmentId } as const;
    const shown = JSON.stringify(ReplaceCode({ ...props, action: async () => undefined as never }));
    return /Your app gets the new code|(might|does) not get/.exec(shown)?.[0];
  };
  const promise = "Your app gets the new code";
  expect(await next()).toBe(promise);
  await endCampaign(ctx, eve.campaignId);
  await replaceCodeOf(ctx, assignmentId, reason);
  const [code] = await codesAssigned({ ctx }, assignmentId);
  expect([await next(), await eve.ask()]).toEqual([promise, code?.code]);
  const id = await copyCampaign({ ctx, ...eve }, { codeBudget: 1, spentCodes: 1 });
  expect([await next(), await eve.ask()]).toEqual([promise, code?.code]);
  await ctx.db.orm.update(campaigns).set({ codeBudget: null }).where(eq(campaigns.id, id));
  const ann = (await eve.api.referrer("ann")).body.referrer_id;
  await updateReferrerStatus(ctx, ann, "paused");
  expect([await next(), await eve.ask()]).toEqual([promise, code?.code]);
  await updateReferrerStatus(ctx, ann, "active");
  // Without a code for another referral, the app gets the replaced one with the refusal.
  expect([await next(), await next(0)]).toEqual(["might not get", "does not get"]);
  expect(await eve.ask()).toBe(code?.code);
  await makeBatch(ctx, eve.pools.ios.referee, "ios", { size: 1 });
  expect(await eve.ask()).not.toBe(code?.code);
});

test("a replaced Google Play code keeps its offer taken while its user has another code of it", async () => {
  const { ctx, pools, api, ...tenant } = await assigned({ codes: 3, offer: "spring" });
  const { body } = await api.referrer("lee");
  const campaignId = await copyCampaign({ ctx, pools, ...tenant }, { type: "influencer" });
  const lee = and(eq(referrers.appId, ctx.app.id), eq(referrers.id, body.referrer_id));
  await ctx.db.orm.update(referrers).set({ campaignId }).where(lee);
  for (const metacode of [tenant.metacode, body.metacode])
    expect((await api.redeem("kim", metacode, "android")).status).toBe(200);
  await makeBatch(ctx, pools.android.referee, "android", { size: 2, offer: "summer" });
  const own = and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, "kim"));
  const [first, second] = await ctx.db.orm.select().from(referrals).where(own);
  const offers = async () => {
    const taken = and(eq(offerTakers.appId, ctx.app.id), eq(offerTakers.uid, "kim"));
    return (await ctx.db.orm.select().from(offerTakers).where(taken)).map(({ offer }) => offer).sort();
  };
  await replaceCodeOf(ctx, first?.id ?? "", reason);
  expect(await offers()).toEqual(["spring", "summer"]);
  // Replacing the last code of the offer frees the offer.
  await replaceCodeOf(ctx, second?.id ?? "", reason);
  expect(await offers()).toEqual(["summer"]);
});

test("a code is replaced from the pool that its campaign has by now, once its own pool has no other", async () => {
  const { ctx, campaignId, assignmentId } = await assigned({ codes: 1 });
  const pool = await createPool(ctx, { name: "Newer codes", platform: "ios", use: "referee" });
  const batch = await makeBatch(ctx, pool.id, "ios", { size: 2 });
  await expect(replaceCodeOf(ctx, assignmentId, reason)).rejects.toThrow("no other free code");
  const platform = and(
    eq(campaignPlatforms.appId, ctx.app.id),
    eq(campaignPlatforms.campaignId, campaignId),
    eq(campaignPlatforms.platform, "ios"),
  );
  await ctx.db.orm.update(campaignPlatforms).set({ refereePoolId: pool.id }).where(platform);
  await replaceCodeOf(ctx, assignmentId, reason);
  expect((await codesAssigned({ ctx }, assignmentId)).map(({ batchId }) => batchId)).toEqual([batch]);
});
