import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { chosenRows } from "@/lib/contract/bulk";
import { referrals } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { endCampaign, pauseCampaign } from "@/lib/program/campaigns/lifecycle";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";
import { applyToEach } from "@/lib/web/session/bulk";

useService();

test("a ring is reversed at once with a reason and taken back; refused rows are named and stop no other", async () => {
  const [mine, other] = [await referringTenant(), await referringTenant()];
  const ctx = asTeamMember(mine.tenant.ctx);
  const uids = await refer(mine.tenant, mine.metacode, 4);
  const ring = await Promise.all(uids.map((uid) => referralIdOf(ctx, uid)));
  await mine.api.redeem("open", mine.metacode);
  const open = await referralIdOf(ctx, "open");
  const [foreignUid = ""] = await refer(other.tenant, other.metacode, 1);
  const foreign = await referralIdOf(other.tenant.ctx, foreignUid);
  const before = await rowsOfApp(other.tenant.ctx.app.id);
  const reverse = (ids: string[]) =>
    applyToEach(ids, (referralId) => reverseReferral(ctx, { referralId, reason: "Made-up users" }));
  expect(await reverse([open, ...ring, foreign])).toEqual({
    done: 4,
    failed: [
      { id: open, message: expect.stringContaining("neither counts nor is reversed") },
      { id: foreign, message: "There is no such referral. It may have been released: reload the page" },
    ],
  });
  expect((await mine.api.referrer("ann")).body.stats.referrals_count).toBe(0);
  const audited = (await auditOf(ctx)).filter(({ action }) => action === "referral.reversed");
  expect(audited.map(({ subjectId }) => subjectId).sort()).toEqual([...ring].sort());
  expect(audited[0]?.after).toMatchObject({ reason: "Made-up users" });
  expect(
    await applyToEach(ring, (referralId) => restoreReferral(ctx, { referralId, reason: "A mistake" })),
  ).toEqual({
    done: 4,
    failed: [],
  });
  expect((await mine.api.referrer("ann")).body.stats.referrals_count).toBe(4);
  expect(await rowsOfApp(other.tenant.ctx.app.id)).toEqual(before);
});

test("several redemptions are released at once; a confirmed one is named and stays", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const [confirmed = ""] = await refer(tenant, metacode, 1);
  const uids = ["eve-1", "eve-2", confirmed];
  for (const uid of uids.slice(0, 2)) await api.redeem(uid, metacode);
  const ids = await Promise.all(uids.map((uid) => referralIdOf(ctx, uid)));
  const release = (referralId: string) => releaseRedemption(ctx, { referralId, reason: "Made-up users" });
  expect(await applyToEach(ids, release)).toEqual({
    done: 2,
    failed: [{ id: ids[2], message: expect.stringContaining("been confirmed") }],
  });
  const audited = (await auditOf(ctx)).filter(({ action }) => action === "referral.released");
  expect(audited.map(({ subjectId }) => subjectId)).toEqual(ids.slice(0, 2));
});

test("a ring of metacodes is paused and resumed at once; one that has ended is named and stays", async () => {
  const { tenant, api } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const ids: string[] = [];
  for (const uid of ["ann", "ring-1", "ring-2"]) ids.push((await api.referrer(uid)).body.referrer_id);
  await updateReferrerStatus(ctx, ids[0] ?? "", "ended");
  const failed = [{ id: ids[0], message: expect.stringContaining("is ended") }];
  for (const [status, action] of [
    ["paused", "referrer.paused"],
    ["active", "referrer.resumed"],
  ] as const) {
    expect(await applyToEach(ids, (id) => updateReferrerStatus(ctx, id, status))).toEqual({
      done: 2,
      failed,
    });
    expect((await api.referrer("ring-1")).body.status).toBe(status);
    const audited = (await auditOf(ctx)).filter((entry) => entry.action === action);
    expect(audited.map(({ subjectId }) => subjectId)).toEqual(ids.slice(1));
  }
});

test("several campaigns are paused and ended at once; one that cannot be is named, and those of another app stay", async () => {
  const [mine, other] = [await referringTenant(), await referringTenant()];
  const [own, foreign] = await Promise.all(
    [mine, other].map(async ({ tenant }) => (await listCampaigns(tenant.ctx)).map(({ id }) => id)),
  );
  const ctx = asTeamMember(mine.tenant.ctx);
  const before = await rowsOfApp(other.tenant.ctx.app.id);
  const ids = [...(own ?? []), ...(foreign ?? [])];
  const refused = (foreign ?? []).map((id) => ({ id, message: "There is no such campaign" }));
  expect(refused).toHaveLength(1);
  expect(await applyToEach(ids, (id) => pauseCampaign(ctx, id))).toEqual({ done: 1, failed: refused });
  expect(await applyToEach(ids, (id) => endCampaign(ctx, id))).toEqual({ done: 1, failed: refused });
  expect((await listCampaigns(ctx)).map(({ status }) => status)).toEqual(["ended"]);
  expect(await rowsOfApp(other.tenant.ctx.app.id)).toEqual(before);
});

test("an unforeseen error does not count as a refused row: it ends the call", async () => {
  const { tenant } = await referringTenant();
  const broken = applyToEach([uuidv7()], async () => {
    await tenant.ctx.db.orm
      .select()
      .from(referrals)
      .where(and(eq(referrals.id, "no uuid")));
  });
  await expect(broken).rejects.toThrow();
});

test("an error on our side after the first change ends the call and names the rows that did not change", async () => {
  const ids = ["changed", "refused", "broken", "untried"];
  const tried: string[] = [];
  const verb = async (id: string) => {
    tried.push(id);
    if (id === "refused") fail("CONFLICT", "It is paused");
    if (id === "broken") throw new Error("a secret of the database");
  };
  expect(await applyToEach(ids, verb)).toEqual({
    done: 1,
    failed: [
      { id: "refused", message: "It is paused" },
      { id: "broken", message: "An unexpected error occurred" },
      { id: "untried", message: expect.stringContaining("Not tried") },
    ],
  });
  expect(tried).toEqual(ids.slice(0, 3));
  await expect(applyToEach(ids.slice(1), verb)).rejects.toThrow("secret");
});

test("rows are chosen once each, and not too many", () => {
  const { ids } = chosenRows;
  const id = uuidv7();
  expect(ids.parse([id, id])).toEqual([id]);
  for (const wrong of [[], ["x"], Array.from({ length: 201 }, () => uuidv7())]) {
    expect(ids.safeParse(wrong).success).toBe(false);
  }
});
