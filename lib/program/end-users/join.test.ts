import { expect, test } from "vitest";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { findSpelling, joinUids } from "@/lib/program/end-users/join";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { confirmByHand } from "@/lib/program/referrals/by-hand";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const reason = "Reinstalled the app";

test("joined ids find one referral: the purchase that waited, and the refund that comes later", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("old-id", metacode);
  const id = await referralIdOf(ctx, "old-id");
  expect(await applyEvent(ctx, "new-id")).toBe("unmatched");
  await joinUids(ctx, { uid: "old-id", otherUid: "new-id", reason });
  expect((await getReferral(ctx, id)).status).toBe("redeemed");
  expect(await applyEvent(ctx, "new-id", "reverse")).toBe("reversed");
  expect(await auditOf(ctx)).toMatchObject([
    { action: "person.joined", subjectId: "old-id", after: { reason } },
  ]);
  await expect(joinUids(ctx, { uid: "old-id", otherUid: "new-id", reason })).rejects.toThrow(
    "already joined",
  );
  await expect(joinUids(ctx, { uid: "old-id", otherUid: "old-id", reason })).rejects.toThrow(
    "an ID other than",
  );
});

test("of two redemptions of one person in a campaign, the open one is shown as counted by the other, older or newer", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 6 });
  const ctx = asTeamMember(tenant.ctx);
  const findings = async (uid: string) =>
    diagnoseReferral(ctx, await getReferral(ctx, await referralIdOf(ctx, uid)), []);
  for (const uid of ["ole-old", "ole-new"]) await api.redeem(uid, metacode);
  await joinUids(ctx, { uid: "ole-old", otherUid: "ole-new", reason });
  expect(await findings("ole-new")).toEqual([{ why: "no_connection" }]);
  expect(await applyEvent(ctx, "ole-new")).toBe("confirmed");
  const counted = { why: "counted", again: true, referralId: await referralIdOf(ctx, "ole-new") };
  expect(await findings("ole-old")).toMatchObject([counted]);
  for (const uid of ["eve-old", "eve-new"]) await api.redeem(uid, metacode);
  await joinUids(ctx, { uid: "eve-new", otherUid: "eve-old", reason });
  expect(await applyEvent(ctx, "eve-old", "confirm", { purchase: "order_1" })).toBe("confirmed");
  expect(await applyEvent(ctx, "eve-old", "confirm", { purchase: "order_2" })).toBe("already_confirmed");
  expect(await findings("eve-new")).toMatchObject([
    { ...counted, referralId: await referralIdOf(ctx, "eve-old") },
  ]);
  for (const uid of ["una-old", "una-new"]) await api.redeem(uid, metacode);
  const referralId = await referralIdOf(ctx, "una-old");
  await confirmByHand(ctx, { referralId, reason });
  await joinUids(ctx, { uid: "una-new", otherUid: "una-old", reason });
  expect(await findings("una-new")).toMatchObject([{ ...counted, type: "", referralId }]);
  await reverseReferral(ctx, { referralId, reason });
  expect(await findings("una-new")).toEqual([{ why: "no_connection" }]);
});

test("two referrers are joined only where the caller knows that their counts stay apart", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const second = (await api.referrer("ann-2")).body.metacode;
  await refer(tenant, metacode, 2);
  await refer(tenant, second, 1);
  const ids = { uid: "ann-2", otherUid: "ann", reason };
  await expect(joinUids(ctx, ids)).rejects.toThrow(
    `Both IDs are referrers: ann (${metacode}) has 2 confirmed referrals, and ann-2 (${second}) has 1 confirmed referral. Joining does not add these up.`,
  );
  expect(await auditOf(ctx)).toEqual([]);
  await joinUids(ctx, { ...ids, keepApart: "true" });
  expect((await api.referrer("ann")).body.stats.referrals_count).toBe(2);
  expect((await api.referrer("ann-2")).body.stats.referrals_count).toBe(1);
});

test("ids that are joined already are not joined again, in the other direction or in a circle", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  for (const uid of ["a", "b", "c"]) await api.redeem(uid, metacode);
  await joinUids(ctx, { uid: "a", otherUid: "b", reason });
  await joinUids(ctx, { uid: "b", otherUid: "c", reason });
  for (const [uid, otherUid] of [
    ["b", "a"],
    ["c", "a"],
    ["a", "c"],
  ] as const) {
    await expect(joinUids(ctx, { uid, otherUid, reason })).rejects.toThrow("already joined");
  }
  expect(await auditOf(ctx)).toHaveLength(2);
  // Each has a code: a purchase confirms the referral of the id that it names, and no other.
  expect(await applyEvent(ctx, "a")).toBe("confirmed");
  const status = async (uid: string) => (await getReferral(ctx, await referralIdOf(ctx, uid))).status;
  expect([await status("a"), await status("b"), await status("c")]).toEqual([
    "redeemed",
    "code_assigned",
    "code_assigned",
  ]);
});

test("of two members who join the same ids in both directions at once, one does", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const pairs = Array.from({ length: 8 }, (_, n) => [`old-${n}`, `new-${n}`] as const);
  const outcomes = await Promise.allSettled(
    pairs
      .flatMap(([one, other]) => [
        { uid: one, otherUid: other },
        { uid: other, otherUid: one },
      ])
      .map((ids) => joinUids(ctx, { ...ids, reason, keepApart: "true" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
  expect(await auditOf(ctx)).toHaveLength(8);
});

test("an id of which nothing is known is joined only by a caller who insists", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("eve", metacode);
  const ids = { uid: "eve", otherUid: "evee", reason };
  await expect(joinUids(ctx, ids)).rejects.toThrow("Nothing is known about evee");
  await expect(joinUids(ctx, { uid: "evee", otherUid: "EVE", reason })).rejects.toThrow("Did you mean eve?");
  await expect(joinUids(ctx, { uid: "eve", otherUid: "EVE", reason })).rejects.toThrow("EVE here. Check it");
  for (const otherUid of ["ann ", " ann", "evee "])
    await expect(joinUids(ctx, { ...ids, otherUid })).rejects.toThrow(
      `Nothing is known about ${otherUid} here. The ID begins or ends with a space. Remove the space, or tick the box`,
    );
  await joinUids(ctx, { ...ids, keepApart: "true" });
  expect(await auditOf(ctx)).toHaveLength(1);
});

test("an unknown id leads to the known id that differs only in capitals or in spaces around it", async () => {
  const { tenant, api, metacode } = await referringTenant();
  for (const uid of ["milo", "MAX", " ole"]) await api.redeem(uid, metacode);
  const spell = (uid: string) => findSpelling(tenant.ctx, uid);
  for (const uid of ["Milo", "MILO", "milo ", "\tMilo"]) expect(await spell(uid)).toBe("milo");
  for (const uid of ["max", " Max "]) expect(await spell(uid)).toBe("MAX");
  for (const uid of ["mil", "ole", " "]) expect(await spell(uid)).toBeUndefined();
});

test("a referrer and the friend who has a code by them are not joined until that referral is undone", async () => {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ann-2", metacode);
  for (const [uid, otherUid] of [
    ["ann", "ann-2"],
    ["ann-2", "ann"],
  ] as const) {
    await expect(joinUids(ctx, { uid, otherUid, reason, keepApart: "true" })).rejects.toThrow(
      "ann-2 has a code by the metacode of ann",
    );
  }
  // Nor by way of a third ID of either.
  await joinUids(ctx, { uid: "ann", otherUid: "ann-old", reason, keepApart: "true" });
  await joinUids(ctx, { uid: "ann-2", otherUid: "ann-new", reason, keepApart: "true" });
  await expect(
    joinUids(ctx, { uid: "ann-new", otherUid: "ann-old", reason, keepApart: "true" }),
  ).rejects.toThrow("ann-2 has a code by the metacode of ann");
  const referralId = await referralIdOf(ctx, "ann-2");
  expect(await applyEvent(ctx, "ann-2")).toBe("confirmed");
  await reverseReferral(ctx, { referralId, reason });
  await joinUids(ctx, { uid: "ann", otherUid: "ann-2", reason });
  await api.redeem("ann-3", metacode);
  for (const kind of ["confirm", "reverse"] as const) await applyEvent(ctx, "ann-3", kind);
  await joinUids(ctx, { uid: "ann", otherUid: "ann-3", reason });
  // A withdrawal of the refund does not end its reversal.
  expect(await applyEvent(ctx, "ann-3", "restore")).toBe("unmatched");
});

test("an erasure of either id removes the link and its trace in the audit log", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("old-id", metacode);
  await joinUids(ctx, { uid: "old-id", otherUid: "new-id", reason, keepApart: "true" });
  await eraseEndUser(ctx, "old-id");
  const rows = Object.values(await rowsOfApp(ctx.app.id)).flat();
  expect(rows.filter((row) => /old-id|new-id|Reinstalled/.test(row))).toEqual([]);
});

test("ids are joined in their own app only", async () => {
  const [mine, other] = [await referringTenant(), await referringTenant()];
  await other.api.redeem("old-id", other.metacode);
  await applyEvent(other.tenant.ctx, "new-id");
  const before = await rowsOfApp(other.tenant.ctx.app.id);
  const ids = { uid: "old-id", otherUid: "new-id", reason, keepApart: "true" } as const;
  await joinUids(asTeamMember(mine.tenant.ctx), ids);
  expect(await rowsOfApp(other.tenant.ctx.app.id)).toEqual(before);
});

test("two referrers are told apart through their joined ids too", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  for (const uid of ["web", "tablet"]) await api.referrer(uid);
  await api.redeem("phone", metacode);
  await joinUids(ctx, { uid: "web", otherUid: "phone", reason });
  await expect(joinUids(ctx, { uid: "phone", otherUid: "tablet", reason })).rejects.toThrow(
    "Both IDs are referrers",
  );
});

test("of two joins at once that make a person their own friend, one is refused", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("bob", metacode);
  const joins = ["ann", "bob"].map((uid) =>
    joinUids(ctx, { uid, otherUid: "x-id", reason, keepApart: "true" }),
  );
  const outcomes = await Promise.allSettled(joins);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a reversal that is undone while the ids of referrer and friend are being joined stays", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("bob", metacode);
  await applyEvent(ctx, "bob");
  const referralId = await referralIdOf(ctx, "bob");
  await reverseReferral(ctx, { referralId, reason });
  const { restored } = await ctx.db.transaction(async (db) => {
    await joinUids({ ...ctx, db }, { uid: "ann", otherUid: "bob", reason });
    const restored = restoreReferral(ctx, { referralId, reason }).then(() => "restored", String);
    await Promise.race([restored, blockedBackends()]);
    return { restored };
  });
  expect(await restored).toContain("Joined IDs make the referrer and the referee one person");
});

test("a code that is set aside for one id is free again once the person has one under the other", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const pool = tenant.pools.ios.referee;
  for (const uid of ["eve", "fay"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
  await makeBatch(ctx, pool, "ios", { size: 1 });
  await setAside(ctx, pool);
  await joinUids(ctx, { uid: "eve", otherUid: "eve-2", reason, keepApart: "true" });
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  expect((await api.redeem("eve-2", metacode, "android")).status).toBe(200);
  await setAsideOverlooked(ctx);
  await endPlaces(ctx);
  expect((await api.redeem("fay", metacode)).status).toBe(200);
});
