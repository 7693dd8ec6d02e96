import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { auditLog, campaigns, clicks, referrerProgress } from "@/lib/platform/db/schema";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { listInfluencers } from "@/lib/program/referrers/list-influencers";
import { grantRewards } from "@/lib/program/rewards/by-hand";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { createCampaign, duplicateCampaign } from "./create";
import { activateCampaign, pauseCampaign, resumeCampaign } from "./lifecycle";
import { campaignFigures, outlookOf } from "./outlook";
import { getCampaign } from "./read";
import { readinessOf } from "./readiness";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("a campaign's unfinished business is counted from its rows", async () => {
  const tenant = await makeTenant({ threshold: 3, codes: 30 });
  const { ctx, campaignId } = tenant;
  const api = clientOf(tenant.key);
  const ann = (await api.referrer("ann")).body.metacode;
  const bob = (await api.referrer("bob")).body.metacode;
  await refer(tenant, ann, 3);
  await refer(tenant, bob, 2);
  await refer(tenant, bob, 1, "android");
  for (const uid of ["x", "y"]) await api.redeem(uid, ann);
  const campaign = await getCampaign(ctx, campaignId);
  expect(await outlookOf(ctx, campaign)).toEqual({
    referrers: 1,
    more: false,
    openCodes: 2,
    unclaimed: 1,
    inLine: 0,
  });
  await api.claim("ann");
  await applyEvent(ctx, "x");
  expect(await outlookOf(ctx, campaign)).toEqual({
    referrers: 2,
    more: false,
    openCodes: 1,
    unclaimed: 0,
    inLine: 0,
  });
  expect((await campaignFigures(ctx))(campaignId)).toMatchObject({ assigned: 8, confirmed: 7, claimed: 1 });
  const other = await makeTenant();
  expect((await campaignFigures(other.ctx))(campaignId)).toMatchObject({ assigned: 0, confirmed: 0 });
});

test("the rewards and the progress of an erased referrer are no unfinished business", async () => {
  const tenant = await makeTenant({ threshold: 2, codes: 30 });
  const { ctx, campaignId } = tenant;
  const api = clientOf(tenant.key);
  await refer(tenant, (await api.referrer("ann")).body.metacode, 5);
  const campaign = await getCampaign(ctx, campaignId);
  expect(await outlookOf(ctx, campaign)).toMatchObject({ referrers: 1, unclaimed: 2 });
  await eraseEndUser(ctx, "ann");
  expect(await outlookOf(ctx, campaign)).toMatchObject({ referrers: 0, unclaimed: 0 });
});

test("a released redemption leaves no open code, and a confirmation that was unlinked leaves one", async () => {
  const { ctx, key, campaignId } = await makeTenant({ codes: 30 });
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["bob", "cem"]) await api.redeem(uid, metacode);
  const campaign = await getCampaign(ctx, campaignId);
  expect(await outlookOf(ctx, campaign)).toMatchObject({ openCodes: 2 });
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "bob"), reason: "Wrong friend" });
  expect(await outlookOf(ctx, campaign)).toMatchObject({ openCodes: 1 });
  await applyEvent(ctx, "anonymous");
  const [event] = (await listUnmatched(ctx)).data;
  const eventId = event?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "cem", reason: "Receipt" });
  expect(await outlookOf(ctx, campaign)).toMatchObject({ openCodes: 0 });
  await unlinkConfirmation(ctx, { eventId, reason: "Wrong person" });
  expect(await outlookOf(ctx, campaign)).toMatchObject({ openCodes: 1 });
});

test("at most 10,000 rows are read, and the result says so", async () => {
  const { ctx, campaignId } = await makeTenant({ threshold: 3 });
  const row = { appId: ctx.app.id, campaignId, platform: "ios" as const, confirmed: 1 };
  const rows = Array.from({ length: 10_001 }, () => ({ ...row, referrerId: uuidv7() }));
  for (let from = 0; from < rows.length; from += 5_000) {
    await ctx.db.orm.insert(referrerProgress).values(rows.slice(from, from + 5_000));
  }
  const outlook = await outlookOf(ctx, await getCampaign(ctx, campaignId));
  expect(outlook).toMatchObject({ referrers: 10_000, more: true });
});

test("open codes are counted with the newest 10,000 undone steps of the app", async () => {
  const { ctx, key, campaignId } = await makeTenant();
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["bob", "cem"]) await api.redeem(uid, metacode);
  // The oldest is of this campaign, the others are of another one; the release is the 10,001st.
  await ctx.db.orm.execute(sql`
    insert into undone_steps (app_id, id, referral_id, step, campaign_id, referrer_id, referee_uid, platform, happened_at)
    select ${ctx.app.id}, first_id(now() - interval '1 day' + make_interval(secs => n)), gen_random_uuid(), 'redeemed',
           case when n = 1 then ${campaignId}::uuid else gen_random_uuid() end, gen_random_uuid(), 'r', 'ios', now()
      from generate_series(1, 10000) n`);
  const openCodes = async () => (await outlookOf(ctx, await getCampaign(ctx, campaignId))).openCodes;
  expect(await openCodes()).toBe(3);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "bob"), reason: "Wrong friend" });
  expect(await openCodes()).toBe(1);
});

test("the gaps before it can assign codes: store ids, pools, codes that are not about to expire, and an active slot", async () => {
  const tenant = await makeTenant({ codes: 2 });
  const { ctx, pools } = tenant;
  const { id } = await createCampaign(ctx, {
    type: "referral",
    name: "Next",
    safetyMarginHours: 24,
    platforms: { ios: { threshold: 1, refereePoolId: pools.ios.referee }, android: { threshold: 1 } },
  });
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, expiresAt: new Date(Date.now() + 3_600_000) });
  const noPackage = { ...ctx, app: { ...ctx.app, androidPackage: null } };
  expect(await readinessOf(noPackage, await getCampaign(ctx, id))).toEqual({
    platforms: [
      {
        platform: "ios",
        storeId: true,
        reward: null,
        referee: { id: pools.ios.referee, name: "ios referee", free: 2 },
      },
      { platform: "android", storeId: false, referee: null, reward: null },
    ],
    active: { id: tenant.campaignId, name: "Launch" },
  });
  expect((await readinessOf(ctx, await getCampaign(ctx, tenant.campaignId))).active).toBeNull();
});

test("activating or resuming can pause the active one with it, or does neither", async () => {
  const { ctx, campaignId } = await makeTenant();
  const { id } = await duplicateCampaign(ctx, campaignId);
  await expect(activateCampaign(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  await activateCampaign(ctx, id, campaignId);
  const states = async () =>
    Promise.all([campaignId, id].map(async (id) => (await getCampaign(ctx, id)).status));
  expect(await states()).toEqual(["paused", "active"]);
  await expect(activateCampaign(ctx, id, campaignId)).rejects.toMatchObject({ code: "CONFLICT" });
  await resumeCampaign(ctx, campaignId, id);
  expect(await states()).toEqual(["active", "paused"]);
  await expect(pauseCampaign(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  const lines = await ctx.db.orm.select().from(auditLog).where(eq(auditLog.workspaceId, ctx.workspace.id));
  expect(lines.map(({ action, subjectId }) => [action, subjectId === id])).toEqual([
    ["campaign.created", true],
    ["campaign.paused", false],
    ["campaign.activated", true],
    ["campaign.paused", true],
    ["campaign.resumed", false],
  ]);
});

test("a copy is a draft with the same rules, without dates, and its name fits", async () => {
  const { ctx, campaignId } = await makeTenant({
    campaign: {
      name: "é".repeat(80),
      endsAt: new Date("2099-01-01"),
      confirmOn: "paid",
      safetyMarginHours: 7,
    },
  });
  const copy = await getCampaign(ctx, (await duplicateCampaign(ctx, campaignId)).id);
  expect(copy).toMatchObject({
    status: "draft",
    endsAt: null,
    confirmOn: "paid",
    safetyMarginHours: 7,
    activatedAt: null,
    name: `${"é".repeat(73)} (copy)`,
  });
  const rulesOf = async (id: string) =>
    (await getCampaign(ctx, id)).platforms.map(({ campaignId: _, ...rule }) => rule);
  expect(await rulesOf(copy.id)).toEqual(await rulesOf(campaignId));
  const other = await makeTenant();
  await expect(duplicateCampaign(other.ctx, campaignId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(getCampaign(ctx, "no-id")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("influencers are listed with their figures, newest first, page by page", async () => {
  const tenant = await makeTenant({ codes: 20, campaign: { type: "influencer" } });
  const { ctx, campaignId } = tenant;
  const make = (name: string) =>
    createInfluencer(ctx, { campaignId, metacode: `${name}${campaignId.slice(-8)}`, name, uid: name });
  const [ann, bob] = [await make("ann"), await make("bob")];
  await refer(tenant, ann.metacode, 2);
  await clientOf(tenant.key).redeem("late", ann.metacode);
  const click = { appId: ctx.app.id, referrerId: ann.id };
  await ctx.db.orm
    .insert(clicks)
    .values([1, 2].map((n) => ({ ...click, id: uuidv7(), visitor: Buffer.from([n]) })));
  await grantRewards(ctx, { referrerId: ann.id, platform: "ios", rewards: 2, reason: "views" });
  const first = await listInfluencers(ctx, campaignId, { limit: 1 });
  expect(first.data).toEqual([
    expect.objectContaining({ id: bob.id, name: "bob", clicked: 0, confirmed: 0 }),
  ]);
  const second = await listInfluencers(ctx, campaignId, { limit: 1, cursor: first.nextCursor ?? "" });
  expect(second).toMatchObject({ nextCursor: null });
  expect(second.data).toEqual([
    expect.objectContaining({
      id: ann.id,
      clicked: 2,
      assigned: 3,
      confirmed: 2,
      earned: 2,
      claimed: 0,
      link: `http://localhost:3000/r/${ann.metacode}`,
    }),
  ]);
  expect(await outlookOf(ctx, await getCampaign(ctx, campaignId))).toMatchObject({
    referrers: 2,
    unclaimed: 2,
  });
  await ctx.db.orm.delete(campaigns).where(eq(campaigns.appId, ctx.app.id));
  expect((await listInfluencers((await makeTenant()).ctx, campaignId, {})).data).toEqual([]);
});

test("referees in line are counted until they have a code", async () => {
  const { ctx, key, campaignId, pools } = await makeTenant({ codes: 0 });
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["bob", "cem"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
  const inLine = async () => (await outlookOf(ctx, await getCampaign(ctx, campaignId))).inLine;
  expect(await inLine()).toBe(2);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
  expect((await api.redeem("bob", metacode)).status).toBe(200);
  expect(await inLine()).toBe(1);
  const other = await makeTenant();
  expect((await outlookOf(other.ctx, await getCampaign(other.ctx, other.campaignId))).inLine).toBe(0);
});
