import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { getPerson, isUnknown } from "@/lib/outward/person/get";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { listRequests } from "@/lib/outward/request-log/list";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { endUserNotes, requestSubjects } from "@/lib/platform/db/schema";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { createConnection } from "@/lib/program/connections/create";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { findEndUsers } from "@/lib/program/referrers/find";
import { oneEditAway } from "@/lib/program/referrers/mistyped";
import { updateEndUserNotes, updateReferrerNotes } from "@/lib/program/referrers/update";
import { applyEvent } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

/** The metacode with its last character mistyped. */
const mistyped = (metacode: string) => metacode.slice(0, -1) + (metacode.endsWith("2") ? "3" : "2");

test("a person who only failed is found by uid and by request, with what was typed and what was meant", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const refused = await api.redeem("eve/1", mistyped(metacode), "android");
  expect(refused.body.error.code).toBe("METACODE_NOT_FOUND");
  await flushRequests();
  const person = await getPerson(ctx, "eve/1");
  expect(isUnknown(person)).toBe(false);
  expect(person.requests).toMatchObject([
    {
      ...{ status: 404, errorCode: "METACODE_NOT_FOUND", metacode: mistyped(metacode), platform: "android" },
      nearest: { metacode },
    },
  ]);
  const match = expect.objectContaining({ kind: "user", section: "people", id: "eve/1" });
  expect(await findEndUsers(ctx, "eve/1")).toEqual([match]);
  expect(await findEndUsers(ctx, refused.body.error.request_id)).toEqual([match]);
  expect(await findEndUsers(ctx, mistyped(metacode))).toMatchObject([
    { kind: "referrer", note: `${metacode}, one character away` },
  ]);
  expect(isUnknown(await getPerson(ctx, "mallory"))).toBe(true);
  const turnedAway = async () => (await listRequests(ctx, { code: "METACODE_NOT_FOUND" })).data;
  expect(await turnedAway()).toMatchObject([{ uid: "eve/1" }]);
  await eraseEndUser(ctx, "eve/1");
  expect(await turnedAway()).toMatchObject([{ uid: null }]);
});

test("a request without a person is found itself", async () => {
  const { tenant, api } = await referringTenant();
  const { error } = (await api.redeem("", "")).body;
  await flushRequests();
  const found = { kind: "request", section: "requests", id: error.request_id, note: "400 VALIDATION_ERROR" };
  expect(await findEndUsers(tenant.ctx, error.request_id)).toMatchObject([found]);
});

test("a person is found by the id of a purchase and of its event, as the provider and the receipt name them", async () => {
  const [{ tenant, api, metacode }, other] = [await referringTenant(), await referringTenant()];
  await api.redeem("ben", metacode);
  const { id: connection } = await createConnection(tenant.ctx, { provider: "revenuecat" });
  const uuid = "0d1f7a52-5b6e-4c07-9a38-6a2f0c1b9e77";
  for (const [eventId, uids] of [
    [uuid, ["ben"]],
    ["event-2", ["$RCAnonymousID:1"]],
  ] as const) {
    await receiveConfirmation(tenant.ctx, connection, {
      ...{ eventId, type: "BUY", uids: [...uids], payload: {}, occurredAt: null, links: [] },
      confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
      purchaseId: `GPA.${eventId}`,
    });
  }
  const ben = [{ kind: "user", section: "people", id: "ben", note: "named by this purchase" }];
  for (const text of [uuid, `GPA.${uuid}`, `GPA.${uuid}..3`])
    expect(await findEndUsers(tenant.ctx, text)).toMatchObject(ben);
  expect(await findEndUsers(tenant.ctx, "event-2")).toMatchObject([{ id: "$RCAnonymousID:1" }]);
  expect((await getPerson(tenant.ctx, "$RCAnonymousID:1")).events[0]?.path).toMatch(
    /^\/providers\/unmatched/,
  );
  expect(await findEndUsers(other.tenant.ctx, `GPA.${uuid}`)).toEqual([]);
});

test("both sides of a person are on the page, by every linked id, with test purchases marked", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await createEndpoint(ctx, { url: "https://example.com/hook", events: ["referral.code_assigned"] });
  const { metacode: own, referrer_id: referrerId } = (await api.referrer("ben")).body;
  await updateReferrerNotes(ctx, { referrerId, notes: "Wrote twice" });
  await api.redeem("ben", metacode);
  await api.redeem("cem", own);
  await applyEvent(ctx, "cem");
  for (const test of [false, true])
    await receiveConfirmation(ctx, "01900000-0000-7000-8000-00000000c0de", {
      ...{ eventId: `${test}`, type: "TEST_BUY", uids: test ? ["ben-at-provider"] : [], payload: {} },
      confirmation: { kind: test ? "confirm" : "ignore", paid: true, renewal: false, sandbox: test },
      ...{ occurredAt: null, purchaseId: null, links: test ? [] : [{ from: "ben", to: "ben-at-provider" }] },
    });
  await flushRequests();
  const person = await getPerson(ctx, "ben");
  expect(person.aliases).toEqual(["ben-at-provider"]);
  expect(person.referrers).toMatchObject([
    { uid: "ben", metacode: own, status: "active", notes: "Wrote twice", confirmed: 1, held: 0 },
  ]);
  expect(person.deliveries).toMatchObject([{ eventType: "referral.code_assigned", status: "pending" }]);
  expect(await findEndUsers(ctx, "ben-at-provider")).toMatchObject([{ kind: "user", id: "ben-at-provider" }]);
  expect((await getPerson(ctx, "ben-at-provider")).referrers).toEqual(person.referrers);
  expect(person.rewards).toMatchObject([{ rewardNumber: 1, status: "earned" }]);
  expect(person.referrals).toMatchObject([{ refereeUid: "ben", status: "code_assigned" }]);
  expect(person.events).toMatchObject([{ type: "TEST_BUY", verdict: "sandbox", sandbox: true }]);
  expect(person.requests.map(({ status }) => status)).toEqual([200, 200]);
  const referralId = await referralIdOf(ctx, "ben");
  for (const reason of ["Expired", "Expired too"]) await replaceCodeOf(ctx, referralId, reason);
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  const after = await getPerson(ctx, "ben-at-provider");
  expect(after.replaced.map(({ reason }) => reason)).toEqual(["Expired too", "Expired"]);
  expect(after.replaced[1]?.new).toBe(after.replaced[0]?.old);
  expect(after.undone).toMatchObject([{ step: "code_assigned", mayRedeem: "now" }]);
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  expect((await getPerson(ctx, "ben")).undone).toMatchObject([{ step: "code_assigned", mayRedeem: "no" }]);
  const actions = after.audit.map(({ action }) => action).join(" ");
  expect(actions).toBe("referral.released code.replaced code.replaced referrer.noted");
});

test("a purchase that a member linked is on the page of the person whom it confirmed", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ben", metacode);
  await applyEvent(ctx, "$RCAnonymousID:ben");
  const [event] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: event?.id ?? "", uid: "ben", reason: "The receipt" });
  expect((await getPerson(ctx, "ben")).events).toMatchObject([{ id: event?.id, verdict: "confirmed" }]);
  expect((await getPerson(ctx, "ann")).events).toEqual([]);
});

test("confirmed referrals on hold are on the pages of both people and in the referrer's export", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1, campaign: { holdDays: 14 } });
  const ctx = asTeamMember(tenant.ctx);
  for (const uid of ["bob", "cem"]) await api.redeem(uid, metacode);
  await applyEvent(ctx, "bob");
  expect((await getPerson(ctx, "ann")).referrers).toMatchObject([{ held: 1 }]);
  expect((await getPerson(ctx, "bob")).referrals).toMatchObject([{ heldUntil: expect.any(Date) }]);
  expect((await getPerson(ctx, "cem")).referrals).toMatchObject([{ heldUntil: null }]);
  expect((await exportEndUser(ctx, "ann")).referrer?.progress).toMatchObject([{ held: 1, confirmed: 0 }]);
});

test("two ids that a member joined are one person with both metacodes and the rewards of both", async () => {
  const { tenant, api } = await referringTenant({ threshold: 1 });
  const ctx = asTeamMember(tenant.ctx);
  const metacodes = new Map<string, string>();
  for (const uid of ["ole-new", "ole-old"]) {
    const { metacode } = (await api.referrer(uid)).body;
    metacodes.set(uid, metacode);
    await api.redeem(`friend-of-${uid}`, metacode);
    await applyEvent(ctx, `friend-of-${uid}`);
  }
  await joinUids(ctx, { uid: "ole-new", otherUid: "ole-old", reason: "Reinstalled", keepApart: "true" });
  for (const [uid, other] of [
    ["ole-new", "ole-old"],
    ["ole-old", "ole-new"],
  ] as const) {
    const person = await getPerson(ctx, uid);
    const own = [uid, other].map((id) => ({ metacode: metacodes.get(id) }));
    expect(person.referrers).toMatchObject(own);
    expect(person.rewards.map(({ metacode }) => metacode)).toEqual([...metacodes.values()].reverse());
  }
});

test("a person who only waits in line is found, with the place and what is set aside", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  await createEndpoint(asTeamMember(ctx), {
    url: "https://example.com/hook",
    events: ["referral.code_ready"],
  });
  await api.redeem("late", metacode);
  // Requests are deleted after seven days.
  await flushRequests();
  await ctx.db.orm.delete(requestSubjects).where(eq(requestSubjects.appId, ctx.app.id));
  expect(await findEndUsers(ctx, "late")).toMatchObject([{ kind: "user", id: "late" }]);
  const person = await getPerson(ctx, "late");
  expect(isUnknown(person)).toBe(false);
  expect(person.places).toMatchObject([{ platform: "ios", reservedUntil: null }]);
  const ready = {
    poolId: tenant.pools.ios.referee,
    kind: "one_time",
    source: randomCodeFile("ios", 1),
  } as const;
  await importCodes(ctx, ready);
  const ahead = await getPerson(ctx, "late");
  expect(ahead.places).toMatchObject([{ reservedUntil: expect.any(Date) }]);
  expect(ahead.deliveries).toMatchObject([{ eventType: "referral.code_ready", status: "pending" }]);
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  await api.redeem("late", metacode, "android");
  expect((await getPerson(ctx, "late")).places).toEqual([]);
});

test("notes about a referee are on the page and in the export, not in the audit log, and are erased", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ben", metacode);
  const note = (notes: string, uid = "ben") => updateEndUserNotes(ctx, { uid, notes });
  await Promise.all(["Wrote twice", "Wrote three times"].map((notes) => note(notes)));
  await note("Has a new phone");
  expect((await getPerson(ctx, "ben")).notes).toEqual([{ uid: "ben", notes: "Has a new phone" }]);
  expect((await exportEndUser(ctx, "ben")).notes).toEqual(["Has a new phone"]);
  const stale = { ...ctx, seen: JSON.stringify({ notes: "Wrote twice" }) };
  await expect(updateEndUserNotes(stale, { uid: "ben", notes: "Mine" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  const audited = (await auditOf(ctx)).filter(({ action }) => action === "person.noted");
  expect(audited.map(({ subjectId, after }) => [subjectId, after])).toEqual(
    Array(3).fill(["ben", { notes: "changed" }]),
  );
  await note("Only a note", "stranger");
  expect(isUnknown(await getPerson(ctx, "stranger"))).toBe(false);
  expect((await exportEndUser(ctx, "stranger")).notes).toEqual(["Only a note"]);
  await eraseEndUser(ctx, "stranger");
  expect(isUnknown(await getPerson(ctx, "stranger"))).toBe(true);
  await eraseEndUser(ctx, "ben");
  expect(JSON.stringify(await rowsOfApp(ctx.app.id))).not.toContain("new phone");
  await note("", "nobody");
  expect(await ctx.db.orm.$count(endUserNotes, eq(endUserNotes.appId, ctx.app.id))).toBe(0);
});

test("another app's people stay unknown, and an erasure reaches requests", async () => {
  const [mine, other] = [await referringTenant(), await referringTenant()];
  await mine.api.redeem("eve", "nothing2");
  await flushRequests();
  expect(isUnknown(await getPerson(other.tenant.ctx, "eve"))).toBe(true);
  await eraseEndUser(mine.tenant.ctx, "eve");
  expect(isUnknown(await getPerson(mine.tenant.ctx, "eve"))).toBe(true);
  const rows = Object.values(await rowsOfApp(mine.tenant.ctx.app.id)).flat();
  expect(rows.filter((row) => row.includes("eve"))).toEqual([]);
});

test("one edit is a wrong, missing, additional or exchanged character", () => {
  const near = oneEditAway("abcd");
  for (const text of ["xbcd", "abc", "abcde", "bacd", "abdc", "xabcd"]) expect(near).toContain(text);
  for (const text of ["abcd", "ab", "xycd"]) expect(near).not.toContain(text);
});
