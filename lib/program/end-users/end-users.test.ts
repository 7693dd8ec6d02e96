import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { getPerson } from "@/lib/outward/person/get";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { auditLog, codes, referrals } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { uidHash } from "@/lib/program/end-users/pseudonym";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { exportReferrals } from "@/lib/program/referrals/export";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { updateEndUserNotes } from "@/lib/program/referrers/update";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { claimForInfluencer, grantRewards } from "@/lib/program/rewards/by-hand";
import { deleteApp, GRACE_DAYS } from "@/lib/tenants/apps/delete";
import { applyEvent, earnRewards, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const UID = "person-4711@example.com";

/** A referee with a code and a purchase, who invites others. */
async function customer() {
  const made = await referringTenant({ threshold: 1, codes: 5 });
  const { tenant, api, metacode } = made;
  const redeemed = await api.redeem(UID, metacode);
  await applyEvent(tenant.ctx, UID, "confirm", { purchase: "GPA.4711" });
  await applyEvent(tenant.ctx, UID, "ignore");
  const own = (await api.referrer(UID, { name: "Person P." })).body.metacode;
  await refer(tenant, own, 1);
  await api.claim(UID);
  return { ...made, ctx: tenant.ctx, code: redeemed.body.code as string, own };
}

const mentions = async (appId: string, text: string) =>
  Object.entries(await rowsOfApp(appId)).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(text)) ? [table] : [],
  );

describe("an erased person", () => {
  test("is named nowhere in the app's rows, while counts and codes stay", async () => {
    const { ctx, api } = await customer();
    const [before] = (await api.referrer("ann")).body ? [(await api.referrer("ann")).body.stats] : [];
    expect((await mentions(ctx.app.id, UID)).length).toBeGreaterThan(4);
    expect(await eraseEndUser(ctx, UID)).toEqual({ referrals: 1, referrer: true });
    for (const text of [UID, "Person P.", "GPA.4711"]) expect(await mentions(ctx.app.id, text)).toEqual([]);
    expect((await api.referrer("ann")).body.stats).toEqual(before);
    const assigned = (await ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id))).filter(
      ({ status }) => status !== "available",
    );
    expect(assigned).toHaveLength(3);
  });

  test("who is back claims no second code of an App Store offer", async () => {
    const { tenant, api } = await referringTenant({ offer: "spring" });
    const reward = tenant.pools.ios.reward;
    await earnRewards(tenant, UID, 1);
    expect((await api.claim(UID)).status).toBe(200);
    await eraseEndUser(tenant.ctx, UID);
    await earnRewards(tenant, UID, 1);
    expect((await api.claim(UID)).status).toBe(503);
    await makeBatch(tenant.ctx, reward, "ios", { size: 1, offer: "summer" });
    expect((await api.claim(UID)).status).toBe(200);
  });

  test("gets no second code in the campaign, another person does", async () => {
    const { ctx, api, metacode } = await customer();
    await eraseEndUser(ctx, UID);
    const again = await api.redeem(UID, metacode);
    expect([again.status, again.body.error.code]).toEqual([409, "ALREADY_REDEEMED"]);
    expect(again.body.redemption).toBeUndefined();
    expect((await api.redeem("another-user", metacode)).status).toBe(200);
  });

  test("is forgotten in one app only", async () => {
    const [mine, other] = [await customer(), await customer()];
    const before = await rowsOfApp(other.ctx.app.id);
    await eraseEndUser(mine.ctx, UID);
    expect((await rowsOfApp(other.ctx.app.id)).referrals).toEqual(before.referrals);
    expect((await other.api.redeem(UID, other.metacode)).body.error.code).toBe("ALREADY_REDEEMED");
    expect((await mentions(other.ctx.app.id, UID)).length).toBeGreaterThan(4);
  });

  test("who was an influencer has lost the rewards that were not claimed", async () => {
    const { tenant } = await referringTenant();
    const { ctx, pools } = tenant;
    const platforms = { ios: { threshold: 1, rewardPoolId: pools.ios.reward } };
    const { id: campaignId } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
    const { id } = await createInfluencer(ctx, { campaignId, metacode: "lostrewards", uid: UID });
    await grantRewards(ctx, { referrerId: id, platform: "ios", rewards: 1, reason: "views" });
    await eraseEndUser(ctx, UID);
    await expect(claimForInfluencer(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("its metacode no longer invites", async () => {
    const { ctx, api, own } = await customer();
    await eraseEndUser(ctx, UID);
    expect((await api.redeem("late friend", own)).body.error.code).toBe("METACODE_NOT_FOUND");
  });

  test("the audit log keeps the action but no longer the person", async () => {
    const { ctx } = await customer();
    await eraseEndUser(ctx, UID);
    const entries = await ctx.db.orm
      .select()
      .from(auditLog)
      .where(eq(auditLog.workspaceId, ctx.workspace.id));
    expect(entries.map(({ action }) => action)).toEqual(["person.erased"]);
    expect(JSON.stringify(entries)).not.toContain(UID);
  });

  test("without any stored data is NOT_FOUND, and nothing but its mark and its time is stored", async () => {
    const { ctx } = await customer();
    const before = await rowsOfApp(ctx.app.id);
    await expect(eraseEndUser(ctx, "unknown-user")).rejects.toMatchObject({
      code: "NOT_FOUND",
      field: "uid",
    });
    const marked = { apps: [expect.any(String)], erased_people: [expect.any(String)] };
    expect(await rowsOfApp(ctx.app.id)).toEqual({ ...before, ...marked });
  });
});

test("goes by another name in each app, so that two owners cannot compare", () => {
  const [first, second] = [uidHash(uuidv7(), UID), uidHash(uuidv7(), UID)];
  expect(first.equals(second)).toBe(false);
});

describe("the export of a person", () => {
  test("contains all of their own data and no other id", async () => {
    const { ctx, code, own } = await customer();
    const file = await exportEndUser(ctx, UID);
    expect(file.referrals).toMatchObject([{ status: "redeemed", code }]);
    expect(file.referrer).toMatchObject({ metacode: own, metadata: { name: "Person P." } });
    expect(file.referrer?.rewards).toMatchObject([{ status: "claimed", code: expect.any(String) }]);
    expect(file.provider_events.length).toBeGreaterThan(0);
    expect(JSON.stringify(file)).not.toMatch(/referee-[0-9a-f]{8}/);
  });

  test("says from when a confirmation counts that is on hold", async () => {
    const { ctx } = await customer();
    const countsFrom = new Date("2026-12-24T12:00:00Z");
    await ctx.db.orm
      .update(referrals)
      .set({ held: true, countsFrom })
      .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, UID)));
    expect((await exportEndUser(ctx, UID)).referrals).toMatchObject([{ counts_from: countsFrom }]);
  });

  test("includes events that changed nothing, and none of other people", async () => {
    const { ctx } = await customer();
    await applyEvent(ctx, "another-user", "ignore");
    const file = await exportEndUser(ctx, UID);
    expect(file.provider_events.map(({ verdict }) => verdict)).toEqual(["confirmed", "ignored"]);
  });

  test("holds what a person typed who only failed, and the ids reported as theirs", async () => {
    const { tenant, api } = await referringTenant();
    await api.redeem(UID, "mistyped", "android");
    await flushRequests();
    const link = { from: UID, to: "at-the-provider" };
    const event = {
      eventId: "1",
      type: "TRANSFER",
      uids: [],
      payload: {},
      occurredAt: null,
      purchaseId: null,
    };
    await receiveConfirmation(tenant.ctx, uuidv7(), {
      ...event,
      links: [link],
      confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
    });
    const file = await exportEndUser(tenant.ctx, UID);
    const request = { path: "/api/referee-redeem", status: 404, error: "METACODE_NOT_FOUND" };
    expect(file.requests).toMatchObject([{ ...request, typed_metacode: "mistyped", platform: "android" }]);
    expect(file.linked_ids).toMatchObject([{ ...link, type: "TRANSFER" }]);
    await api.redeem("only-failed", "mistyped");
    await flushRequests();
    expect((await exportEndUser(tenant.ctx, "only-failed")).requests).toHaveLength(1);
    await eraseEndUser(tenant.ctx, "only-failed");
    await expect(exportEndUser(tenant.ctx, "only-failed")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("names the code of a released redemption, which an erasure scrubs", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const ctx = asTeamMember(tenant.ctx);
    const { code } = (await api.redeem(UID, metacode)).body;
    const referralId = await referralIdOf(ctx, UID);
    await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
    expect((await exportEndUser(ctx, UID)).undone_steps).toMatchObject([{ step: "code_assigned", code }]);
    await eraseEndUser(ctx, UID);
    expect(await mentions(ctx.app.id, UID)).toEqual([]);
  });

  test("is written to the audit log without the uid", async () => {
    const { ctx } = await customer();
    await exportEndUser(ctx, UID);
    const entries = await ctx.db.orm
      .select()
      .from(auditLog)
      .where(eq(auditLog.workspaceId, ctx.workspace.id));
    expect(entries.map(({ action }) => action)).toEqual(["person.exported"]);
    expect(JSON.stringify(entries)).not.toContain(UID);
  });

  test("of another app's person is NOT_FOUND", async () => {
    const [mine] = [await referringTenant()];
    await customer();
    await expect(exportEndUser(mine.tenant.ctx, UID)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("the refusal of a test metacode is no sign of an erasure", async () => {
  const { tenant, api } = await referringTenant();
  expect((await api.redeem("eve", "test409")).body.error.code).toBe("ALREADY_REDEEMED");
  await flushRequests();
  expect((await getPerson(tenant.ctx, "eve")).erased).toBeNull();
});

test("no user of a deleted app is named once its rows are gone, also not in the audit log, which keeps its entries", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem(UID, metacode);
  await updateEndUserNotes(ctx, { uid: UID, notes: "Wrote to us" });
  for await (const _ of await exportReferrals(ctx, { q: UID }));
  const referralId = await referralIdOf(ctx, UID);
  await releaseRedemption(ctx, { referralId, reason: "Paula has an iPhone" });
  const platforms = { ios: { threshold: 1 } };
  const { id: campaignId } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
  await createInfluencer(ctx, { campaignId, metacode: "star4712", uid: "paula@work", name: "Paula" });
  await deleteApp(ctx);
  await purgeApps(ctx.db, new Date(Date.now() + (GRACE_DAYS + 1) * DAY_MS));
  for (const trace of [UID, "Paula", "paula@"]) expect(await mentions(ctx.app.id, trace)).toEqual([]);
  for (const action of ["person.noted", "referral.exported", "referral.released", "Stars"]) {
    expect(await mentions(ctx.app.id, action)).toEqual(["audit_log"]);
  }
});
