import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { activateCampaign } from "@/lib/campaigns/activate";
import { createCampaign } from "@/lib/campaigns/create";
import { replaceCode } from "@/lib/codes/replace";
import { linkConfirmation } from "@/lib/confirmations/link";
import { listUnmatched } from "@/lib/confirmations/list";
import { campaigns, offerTakers } from "@/lib/db/schema";
import { erasePerson } from "@/lib/people/erase";
import { exportReferrals } from "@/lib/referrals/export";
import { reverseReferral } from "@/lib/referrals/reverse";
import { createInfluencer } from "@/lib/referrers/create-influencer";
import { editInfluencer } from "@/lib/referrers/edit-influencer";
import { grantRewards } from "@/lib/rewards/grant";
import { tell } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/rows";
import { running } from "@/lib/testing/running";
import { useService } from "@/lib/testing/service";
import { asPerson, referralIdOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const UID = "person-4711@example.com";

const mentions = async (appId: string, text: string) =>
  Object.entries(await rowsOfApp(appId)).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(text)) ? [table] : [],
  );

test("what the team wrote about an influencer is forgotten, in the audit log too", async () => {
  const { tenant } = await running();
  const ctx = asPerson(tenant.ctx);
  const platforms = { ios: { threshold: 1 } };
  const { id: campaignId } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
  const told = { name: "Paula Person", handle: "@paula", notes: "Knows our aunt" };
  const { id: referrerId } = await createInfluencer(ctx, {
    campaignId,
    metacode: "star4711",
    uid: UID,
    ...told,
  });
  await editInfluencer(ctx, { referrerId, ...told, notes: "Knows our uncle" });
  await grantRewards(ctx, { referrerId, platform: "ios", rewards: 1, reason: "Paula was kind" });
  expect(await mentions(ctx.app.id, "Knows our aunt")).toEqual(["audit_log"]);
  await erasePerson(ctx, UID);
  for (const trace of [UID, "Paula", "@paula", "Knows our"]) {
    expect(await mentions(ctx.app.id, trace)).toEqual([]);
  }
  expect(await mentions(ctx.app.id, "reward.granted")).toEqual(["audit_log"]);
});

test("support's words about a referee go, and so does a search for the uid; the entries stay", async () => {
  const { tenant, api, metacode } = await running();
  const ctx = asPerson(tenant.ctx);
  await api.redeem(UID, metacode);
  const id = await referralIdOf(ctx, UID);
  await replaceCode(ctx, { assignmentId: id, reason: "Paula wrote to us" });
  await tell(ctx, UID);
  await reverseReferral(ctx, { referralId: id, reason: "Paula was refunded" });
  await exportReferrals(ctx, { q: UID });
  await erasePerson(ctx, UID);
  expect(await mentions(ctx.app.id, "Paula")).toEqual([]);
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  for (const done of ["code.replaced", "referral.reversed", "referral.exported"]) {
    expect(await mentions(ctx.app.id, done)).toContain("audit_log");
  }
});

test("an event that was linked by hand loses what it says of the person", async () => {
  const { tenant, api, metacode } = await running();
  const { ctx } = tenant;
  await api.redeem(UID, metacode);
  await tell(ctx, "$anonymous:4711");
  await api.redeem("somebody else", metacode);
  await tell(ctx, "$anonymous:5");
  const [other, own] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, own?.id ?? "", UID);
  await linkConfirmation(ctx, other?.id ?? "", "somebody else");
  await erasePerson(ctx, UID);
  expect(await mentions(ctx.app.id, "$anonymous:4711")).toEqual([]);
  expect(await mentions(ctx.app.id, "$anonymous:5")).toEqual(["provider_events"]);
});

test("somebody who came back after it can be erased once more", async () => {
  const { tenant, api, metacode } = await running({ offer: "Summer", codes: 5 });
  const { ctx } = tenant;
  await api.referrer(UID);
  await api.redeem(UID, metacode);
  await erasePerson(ctx, UID);
  await api.referrer(UID, { name: "Paula" });
  // In another campaign the person is welcome, and has had the offer still.
  await ctx.db.orm.update(campaigns).set({ status: "ended" }).where(eq(campaigns.appId, ctx.app.id));
  const { ios } = tenant.pools;
  const next = await createCampaign(ctx, {
    ...{ type: "referral", name: "Next" },
    platforms: { ios: { threshold: 1, refereePoolId: ios.referee } },
  });
  await activateCampaign(ctx, next.id);
  expect((await api.redeem(UID, metacode)).body.error.code).toBe("NO_CODES_AVAILABLE");
  const offers = () => ctx.db.orm.select().from(offerTakers).where(eq(offerTakers.appId, ctx.app.id));
  expect((await offers()).map(({ uid }) => uid)).toContain(UID);
  expect(await erasePerson(ctx, UID)).toEqual({ referrals: 0, referrer: true });
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  expect(await offers()).toHaveLength(1);
  expect((await api.redeem(UID, metacode)).body.error.code).toBe("NO_CODES_AVAILABLE");
});

test("somebody known from a provider alone can be erased", async () => {
  const { tenant } = await running();
  await tell(tenant.ctx, UID);
  expect(await erasePerson(tenant.ctx, UID)).toEqual({ referrals: 0, referrer: false });
  expect(await mentions(tenant.ctx.app.id, UID)).toEqual([]);
  expect(await mentions(tenant.ctx.app.id, "person.erased")).toEqual(["audit_log"]);
});
