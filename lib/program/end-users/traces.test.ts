import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { campaigns, endUserNotes, idempotencyKeys, offerTakers, referrers } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { activateCampaign } from "@/lib/program/campaigns/lifecycle";
import { unreadableRow } from "@/lib/program/confirmations/inbox-row";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { receiveRow } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { exportReferrals } from "@/lib/program/referrals/export";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { exportReferrers } from "@/lib/program/referrers/export";
import { updateInfluencer } from "@/lib/program/referrers/update";
import { grantRewards } from "@/lib/program/rewards/by-hand";
import { applyEvent } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const UID = "person-4711@example.com";

const mentions = async (appId: string, text: string) =>
  Object.entries(await rowsOfApp(appId)).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(text)) ? [table] : [],
  );

test("the team's notes about an influencer are deleted, even in the audit log", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const platforms = { ios: { threshold: 1 } };
  const { id: campaignId } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
  const profile = { name: "Paula Person", handle: "@paula", notes: "Knows our aunt" };
  const { id: referrerId } = await createInfluencer(ctx, {
    campaignId,
    metacode: "star4711",
    uid: UID,
    ...profile,
  });
  await updateInfluencer(ctx, { referrerId, metacode: "star4711", ...profile, notes: "Knows our uncle" });
  await grantRewards(ctx, { referrerId, platform: "ios", rewards: 1, reason: "Paula was kind" });
  expect(await mentions(ctx.app.id, "Knows our aunt")).toEqual(["audit_log"]);
  await eraseEndUser(ctx, UID);
  for (const trace of [UID, "Paula", "@paula", "Knows our"]) {
    expect(await mentions(ctx.app.id, trace)).toEqual([]);
  }
  expect(await mentions(ctx.app.id, "reward.granted")).toEqual(["audit_log"]);
});

test("support's notes about a referee are removed, and so is a search for the uid; the entries stay", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem(UID, metacode);
  const id = await referralIdOf(ctx, UID);
  await replaceCodeOf(ctx, id, "Paula wrote to us");
  await applyEvent(ctx, UID);
  await reverseReferral(ctx, { referralId: id, reason: "Paula was refunded" });
  await exportReferrals(ctx, { q: UID });
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, "Paula")).toEqual([]);
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  for (const done of ["code.replaced", "referral.reversed", "referral.exported"]) {
    expect(await mentions(ctx.app.id, done)).toContain("audit_log");
  }
});

test("an undone redemption is removed with its code and its reason", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem(UID, metacode);
  for (const reason of ["Paula wrote to us", "Paula wrote again"]) {
    await replaceCodeOf(ctx, await referralIdOf(ctx, UID), reason);
  }
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, UID), reason: "Paula has an iPhone" });
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  expect(await mentions(ctx.app.id, "Paula")).toEqual([]);
  expect(await mentions(ctx.app.id, "referral.released")).toContain("audit_log");
});

test("an event that was linked by hand loses its data about the person", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.redeem(UID, metacode);
  await applyEvent(ctx, "$anonymous:4711");
  await api.redeem("another-user", metacode);
  await applyEvent(ctx, "$anonymous:5");
  const [other, own] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: own?.id ?? "", uid: UID, reason: "The receipt" });
  await linkConfirmation(ctx, { eventId: other?.id ?? "", uid: "another-user", reason: "The receipt" });
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, "$anonymous:4711")).toEqual([]);
  expect(await mentions(ctx.app.id, "$anonymous:5")).toEqual(["provider_events"]);
});

test("the name of an erased referrer is in no stored response, whose replay names the metacode", async () => {
  const { tenant, api } = await referringTenant();
  const { metacode } = (await api.referrer(UID, { name: "Paula" })).body;
  const redeem = (key: string) => api.redeem("bob", metacode, "ios", {}, { "idempotency-key": key });
  const { code, referrer_info } = (await redeem("first")).body;
  expect(referrer_info.message).toContain("Paula");
  expect((await redeem("second")).body.redemption.referrer_info.message).toContain("Paula");
  const ofPaula = and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.uid, UID));
  await tenant.ctx.db.orm.update(referrers).set({ slug: "changed4711" }).where(ofPaula);
  await eraseEndUser(tenant.ctx, UID);
  expect(await mentions(tenant.ctx.app.id, "Paula")).toEqual([]);
  const replayed = await redeem("first");
  expect(replayed.body).toMatchObject({
    code,
    referrer_info: { message: expect.stringContaining(metacode) },
  });
  expect((await redeem("second")).body.redemption.code).toBe(code);
});

test("an erasure also removes the name from stored responses of more than 24 hours ago, which wait for the sweep", async () => {
  const { tenant, api } = await referringTenant();
  const { metacode } = (await api.referrer(UID, { name: "Paula" })).body;
  for (const key of ["old", "new"]) await api.redeem(key, metacode, "ios", {}, { "idempotency-key": key });
  const { appId, key } = idempotencyKeys;
  const own = eq(appId, tenant.ctx.app.id);
  const old = and(own, eq(key, "old"));
  await tenant.ctx.db.orm
    .update(idempotencyKeys)
    .set({ createdAt: new Date(Date.now() - DAY_MS) })
    .where(old);
  await eraseEndUser(tenant.ctx, UID);
  expect(await mentions(tenant.ctx.app.id, "Paula")).toEqual([]);
  expect(await tenant.ctx.db.orm.$count(idempotencyKeys, own)).toBe(2);
  const { headers } = await api.redeem("old", metacode, "ios", {}, { "idempotency-key": "old" });
  expect(headers.get("idempotency-replayed")).toBeNull();
});

test("a person who returned after the erasure can be erased again", async () => {
  const { tenant, api, metacode } = await referringTenant({ offer: "Summer", codes: 5 });
  const { ctx } = tenant;
  await api.referrer(UID);
  await api.redeem(UID, metacode);
  await eraseEndUser(ctx, UID);
  await api.referrer(UID, { name: "Paula" });
  // Another campaign accepts the person, who still counts as having had the offer.
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
  expect(await eraseEndUser(ctx, UID)).toEqual({ referrals: 0, referrer: true });
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  expect(await offers()).toHaveLength(1);
  expect((await api.redeem(UID, metacode)).body.error.code).toBe("NO_CODES_AVAILABLE");
});

test("a code assigned while the erasure waits keeps its offer with the person who is back", async () => {
  const { tenant, api, metacode } = await referringTenant({ offer: "Summer" });
  const { ctx } = tenant;
  await ctx.db.orm.insert(endUserNotes).values({ appId: ctx.app.id, uid: UID, notes: "Asked twice" });
  const [erasing] = await ctx.db.transaction(async ({ orm }) => {
    await orm.select().from(endUserNotes).where(eq(endUserNotes.appId, ctx.app.id)).for("update");
    const started = [eraseEndUser(ctx, UID), await blockedBackends()];
    await api.redeem(UID, metacode);
    return started;
  });
  await erasing;
  expect(await mentions(ctx.app.id, UID)).toContain("offer_takers");
});

test("a person known only from a provider can be erased", async () => {
  const { tenant } = await referringTenant();
  await applyEvent(tenant.ctx, UID);
  expect(await eraseEndUser(tenant.ctx, UID)).toEqual({ referrals: 0, referrer: false });
  expect(await mentions(tenant.ctx.app.id, UID)).toEqual([]);
  expect(await mentions(tenant.ctx.app.id, "person.erased")).toEqual(["audit_log"]);
});

test("a member's words about a person, at a linked event or in a search, end with the person", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.referrer(UID, { name: "Person P." });
  await api.redeem(UID, metacode);
  expect(await applyEvent(ctx, "$anon-1")).toBe("unmatched");
  const [event] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: event?.id ?? "", uid: UID, reason: "Person P., Berlin, sent it" });
  for await (const _ of await exportReferrers(ctx, referrerQuery.parse({ q: "person p." })));
  for (const q of ["Person", "person-47", "per"]) for await (const _ of await exportReferrals(ctx, { q }));
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, "erson ")).toEqual([]);
  for (const searched of ["person p.", "Person", "person-47"]) {
    expect(await mentions(ctx.app.id, searched)).toEqual([]);
  }
});

test("the reason of a reversal ends with the referee, also at the reward of the referrer that went with it", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem(UID, metacode);
  await applyEvent(ctx, UID);
  const referralId = await referralIdOf(ctx, UID);
  await reverseReferral(ctx, { referralId, reason: "Paula was refunded", withdraw: "true" });
  await restoreReferral(ctx, { referralId, reason: "Paula paid again" });
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, "Paula")).toEqual([]);
  expect(await mentions(ctx.app.id, "reward.withdrawn")).toContain("audit_log");
});

test("an id that led an event of another id to a referral is removed from that event", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("new-phone", metacode);
  const links = [
    { uid: "old-phone", otherUid: UID },
    { uid: UID, otherUid: "new-phone" },
  ];
  for (const ids of links) await joinUids(ctx, { ...ids, reason: "Receipts", keepApart: "true" });
  expect(await applyEvent(ctx, "old-phone")).toBe("confirmed");
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, UID)).toEqual([]);
  expect(await mentions(ctx.app.id, "old-phone")).toContain("provider_events");
});

test("a delivery that could not be read is exported and erased with the person whom it names", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  const rawBody = (uid: string) => new TextEncoder().encode(JSON.stringify({ event: { app_user_id: uid } }));
  for (const uid of [UID, `${UID}2`]) {
    const read = { headers: new Headers(), rawBody: rawBody(uid) };
    await receiveRow(ctx.db, ctx.app.id, unreadableRow(uuidv7(), read, "event.type is missing"));
  }
  expect((await exportEndUser(ctx, UID)).provider_events).toMatchObject([
    { payload: { event: { app_user_id: UID } } },
  ]);
  await eraseEndUser(ctx, UID);
  expect(await mentions(ctx.app.id, `"${UID.slice(0, 5)}`)).toEqual(["provider_events"]);
  await expect(exportEndUser(ctx, UID)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await exportEndUser(ctx, `${UID}2`)).provider_events).toHaveLength(1);
});
