import { and, eq, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { PersonFacts } from "@/components/person/facts";
import { RewardList } from "@/components/referrer/reward-list";
import { DAY_MS } from "@/lib/contract/format";
import { getPerson } from "@/lib/outward/person/get";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import {
  apps,
  batches,
  campaignPlatforms,
  campaigns,
  outbox,
  refereesInLine,
  referrals,
} from "@/lib/platform/db/schema";
import { pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces } from "@/lib/program/line/line";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { dismissReferee, listReviews } from "@/lib/program/referrals/review";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { refer } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const factsOf = async (ctx: Context, uid: string) =>
  renderToStaticMarkup(createElement(PersonFacts, { base: "/app", person: await getPerson(ctx, uid) }));

test("a released user may redeem again while the campaign assigns codes", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const campaign = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, tenant.campaignId));
  await api.redeem("ben", metacode);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "ben"), reason: "Wrong friend" });
  const after = async (change: Partial<typeof campaigns.$inferInsert>) => {
    await ctx.db.orm.update(campaigns).set(change).where(campaign);
    return (await getPerson(ctx, "ben")).undone.map(({ mayRedeem }) => mayRedeem);
  };
  expect(await after({ status: "paused" })).toEqual(["resumed"]);
  expect(await after({ status: "active", codeBudget: 1, spentCodes: 1 })).toEqual(["closed"]);
  expect(await after({ spentCodes: 0 })).toEqual(["now"]);
  expect(await after({ endsAt: new Date(Date.now() - 1_000) })).toEqual(["closed"]);
  expect(await after({ status: "ended", endsAt: null })).toEqual(["closed"]);
});

test("a place in line says why its user gets no code: campaign, platform or referrer are closed, or the budget is used up", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, campaignId } = tenant;
  await api.redeem("late", metacode);
  const closed = async () => (await getPerson(ctx, "late")).places.map((place) => place.closed);
  expect(await closed()).toEqual([null]);
  await pauseCampaign(ctx, campaignId);
  expect(await closed()).toEqual(["campaign_paused"]);
  await resumeCampaign(ctx, campaignId);
  const budget = (codeBudget: number) =>
    ctx.db.orm.update(campaigns).set({ codeBudget, spentCodes: 1 }).where(eq(campaigns.id, campaignId));
  await budget(1);
  expect(await closed()).toEqual(["budget_spent"]);
  expect((await api.redeem("late", metacode)).body.error.message).toContain("assigned all of its codes");
  expect(await factsOf(ctx, "late")).toContain("once it is raised");
  await budget(2);
  expect(await closed()).toEqual([null]);
  const ofIos = and(eq(campaignPlatforms.campaignId, campaignId), eq(campaignPlatforms.platform, "ios"));
  const platforms = await ctx.db.orm.delete(campaignPlatforms).where(ofIos).returning();
  expect(await closed()).toEqual(["platform_left"]);
  await ctx.db.orm.insert(campaignPlatforms).values(platforms);
  expect(await closed()).toEqual([null]);
  const { referrer_id: ann } = (await api.referrer("ann")).body;
  await updateReferrerStatus(ctx, ann, "paused");
  expect(await closed()).toEqual(["referrer_paused"]);
  await updateReferrerStatus(ctx, ann, "ended");
  expect(await closed()).toEqual(["referrer_ended"]);
  // The state that the next round leaves.
  const endsAt = new Date(Date.now() - 1_000);
  await ctx.db.orm.update(campaigns).set({ endsAt }).where(eq(campaigns.id, campaignId));
  expect(await closed()).toEqual([]);
});

test("after a switch of campaigns users redeem in the active one, once, but an influencer's metacode stays closed", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const [ctx, poolId] = [asTeamMember(tenant.ctx), tenant.pools.ios.referee];
  const stars = await copyCampaign(tenant, { type: "influencer", name: "Stars" });
  const star = `star${stars.slice(-8)}`;
  await createInfluencer(ctx, { campaignId: stars, name: "Ida", metacode: star });
  await makeBatch(ctx, poolId, "ios", { size: 1 });
  await api.redeem("ben", metacode);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "ben"), reason: "Wrong friend" });
  expect((await api.redeem("late", metacode)).status).toBe(503);
  expect((await api.redeem("fan", star)).status).toBe(503);
  const shown = async () => {
    const [ben, late, fan] = await Promise.all(["ben", "late", "fan"].map((uid) => getPerson(ctx, uid)));
    return [ben?.undone[0]?.mayRedeem, late?.places[0]?.closed, fan?.places[0]?.closed];
  };
  for (const id of [stars, tenant.campaignId]) await pauseCampaign(ctx, id);
  expect(await shown()).toEqual(["resumed", "campaign_paused", "campaign_paused"]);
  const next = await copyCampaign(tenant);
  expect(await shown()).toEqual(["now", "campaign_replaced", "campaign_paused"]);
  expect(await factsOf(ctx, "late")).toContain("the user can redeem in that one");
  const ofNext = and(eq(campaignPlatforms.campaignId, next), eq(campaignPlatforms.platform, "ios"));
  const platforms = await ctx.db.orm.delete(campaignPlatforms).where(ofNext).returning();
  expect(await shown()).toEqual(["resumed", "campaign_paused", "campaign_paused"]);
  await ctx.db.orm.insert(campaignPlatforms).values(platforms);
  await makeBatch(ctx, poolId, "ios", { size: 3 });
  for (const uid of ["ben", "late"]) expect((await api.redeem(uid, metacode)).status).toBe(200);
  expect((await api.redeem("fan", star)).body.error.code).toBe("CAMPAIGN_INACTIVE");
  expect(await shown()).toEqual(["no", "campaign_paused", "campaign_paused"]);
});

test("a redemption beyond a limit leads to the list where it is approved", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const limits = { referrerDailyCap: 1, reviewsBeyondCaps: true };
  await ctx.db.orm.update(apps).set(limits).where(eq(apps.id, ctx.app.id));
  for (const uid of ["ben", "late"]) await api.redeem(uid, metacode);
  await joinUids(ctx, { uid: "late", otherUid: "late-2", reason: "His receipt", keepApart: "true" });
  expect(await factsOf(ctx, "late-2")).toMatch(/\/review\?q=late"[^>]*>held for review/);
});

test("a claimed reward says that its code has expired or is in quarantine", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1 });
  const { ctx } = tenant;
  await refer(tenant, metacode, 1);
  expect((await api.claim("ann")).status).toBe(200);
  const list = async (change: Partial<typeof batches.$inferInsert>) => {
    await ctx.db.orm.update(batches).set(change).where(eq(batches.appId, ctx.app.id));
    const { rewards } = await getPerson(ctx, "ann");
    return renderToStaticMarkup(createElement(RewardList, { appId: "app", rewards, actions: {} }));
  };
  expect(await list({ expiresAt: null })).not.toMatch(/expired|quarantine/);
  expect(await list({ expiresAt: new Date(Date.now() - 1_000) })).toContain(" expired");
  expect(await list({ state: "quarantined", expiresAt: null })).toContain(" in quarantine");
});

test("a reward that waits for codes of the referrer's own platform names it, one that waits for a budget does not", async () => {
  const { tenant, api, metacode } = await referringTenant({
    threshold: 1,
    campaign: { rewardsOn: "referrer" },
  });
  const { ctx } = tenant;
  await refer(tenant, metacode, 1);
  await ctx.db.orm.delete(batches).where(eq(batches.appId, ctx.app.id));
  const list = async (change: Partial<typeof campaigns.$inferInsert> = { rewardBudget: null }) => {
    await ctx.db.orm.update(campaigns).set(change).where(eq(campaigns.appId, ctx.app.id));
    await api.claim("ann", {}, { platform: "android" });
    const { rewards } = await getPerson(ctx, "ann");
    return renderToStaticMarkup(createElement(RewardList, { appId: "app", rewards, actions: {} }));
  };
  expect(await list()).toContain("No codes left for Android");
  expect(await list({ rewardBudget: 1, spentRewards: 1 })).toMatch(/Budget used up</);
});

test("a user whose redemption was erased learns nothing new, but the page says why the next one is refused", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  for (let n = 0; n < 2; n++) await api.redeem("eve", metacode);
  await flushRequests();
  const [shown, referralId] = [() => factsOf(ctx, "eve"), await referralIdOf(ctx, "eve")];
  await eraseEndUser(ctx, "eve");
  expect(await shown()).not.toContain("erased");
  // A request made at the time of the erasure would be stored without the person.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await api.redeem("eve", metacode)).body.error.code).toBe("ALREADY_REDEEMED");
  await flushRequests();
  expect(await shown()).toContain("Made before the data of this user was erased");
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  expect(await shown()).not.toContain("erased");
});

test("a released user who was dismissed later may not redeem again", async () => {
  const { tenant, api, metacode } = await referringTenant({
    app: { referrerDailyCap: 1, reviewsBeyondCaps: true },
  });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("eve", metacode);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "eve"), reason: "Wrong friend" });
  for (const uid of ["ben", "eve"]) await api.redeem(uid, metacode);
  const [held] = (await listReviews(ctx, {})).data;
  await dismissReferee(ctx, held?.id ?? "");
  expect((await getPerson(ctx, "eve")).undone).toMatchObject([{ mayRedeem: "no" }]);
});

test("a code that was set aside and not fetched stays on the page after its time, one that was fetched does not", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  const shown = async (uid: string) => {
    const person = await getPerson(ctx, uid);
    const ended = person.places.filter(({ state }) => state === "ended");
    return { ended, text: renderToStaticMarkup(createElement(PersonFacts, { base: "/app", person })) };
  };
  for (const uid of ["late", "ben"]) await api.redeem(uid, metacode);
  const [poolId, source] = [tenant.pools.ios.referee, randomCodeFile("ios", 2)];
  expect(await importCodes(ctx, { poolId, kind: "one_time", source })).toMatchObject({ setAside: 2 });
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  expect((await shown("late")).ended).toEqual([]);
  // Both were set aside three days ago.
  const since = Date.now() - 3 * DAY_MS;
  const reservedUntil = new Date(since + 2 * DAY_MS);
  const reserved = JSON.stringify({ reserved_until: reservedUntil });
  await ctx.db.orm
    .update(outbox)
    .set({ createdAt: new Date(since), payload: sql`${outbox.payload} || ${reserved}::jsonb` })
    .where(and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready")));
  const early = { createdAt: new Date(since - DAY_MS) };
  await ctx.db.orm
    .update(refereesInLine)
    .set({ ...early, reservedUntil })
    .where(eq(refereesInLine.appId, ctx.app.id));
  await ctx.db.orm
    .update(referrals)
    .set({ createdAt: new Date(since + DAY_MS) })
    .where(eq(referrals.appId, ctx.app.id));
  await ctx.db.orm
    .update(referrals)
    .set({ createdAt: new Date(reservedUntil.getTime() + 60_000) })
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, "ben")));
  for (const ended of [false, true]) {
    if (ended) await endPlaces(ctx);
    const late = await shown("late");
    expect(late.ended).toMatchObject([{ platform: "ios", at: new Date(since), reservedUntil }]);
    expect(late.text).toMatch(/was set aside on .*, for 48 hours at most, and not fetched/);
    expect((await shown("ben")).ended).toEqual([]);
  }
  // Another campaign that became active meanwhile.
  const own = and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, "ben"));
  await ctx.db.orm.update(referrals).set({ campaignId: uuidv7() }).where(own);
  expect((await shown("ben")).ended).toEqual([]);
  // The place in line says more while there is one.
  await ctx.db.orm.update(batches).set({ state: "quarantined" }).where(eq(batches.appId, ctx.app.id));
  expect((await api.redeem("late", metacode)).status).toBe(503);
  const again = await getPerson(ctx, "late");
  expect(again.places.map(({ state }) => state)).toEqual(["waiting", "ended"]);
  await ctx.db.orm.update(refereesInLine).set(early).where(eq(refereesInLine.appId, ctx.app.id));
  expect((await getPerson(ctx, "late")).places.map(({ state }) => state)).toEqual(["waiting"]);
});
