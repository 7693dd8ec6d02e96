import { expect, test } from "vitest";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { getReferral } from "@/lib/program/referrals/get";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";

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
    "joined already",
  );
  await expect(joinUids(ctx, { uid: "old-id", otherUid: "old-id", reason })).rejects.toThrow("another ID");
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

test("an erasure of either id removes the link and its trace in the audit log", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("old-id", metacode);
  await joinUids(ctx, { uid: "old-id", otherUid: "new-id", reason });
  await eraseEndUser(ctx, "old-id");
  const rows = Object.values(await rowsOfApp(ctx.app.id)).flat();
  expect(rows.filter((row) => /old-id|new-id|Reinstalled/.test(row))).toEqual([]);
});

test("ids are joined in their own app only", async () => {
  const [mine, other] = [await referringTenant(), await referringTenant()];
  await other.api.redeem("old-id", other.metacode);
  await applyEvent(other.tenant.ctx, "new-id");
  const before = await rowsOfApp(other.tenant.ctx.app.id);
  await joinUids(asTeamMember(mine.tenant.ctx), { uid: "old-id", otherUid: "new-id", reason });
  expect(await rowsOfApp(other.tenant.ctx.app.id)).toEqual(before);
});
