import { expect, test } from "vitest";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { exportBatch } from "@/lib/program/codes/export";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { exportReferrals } from "@/lib/program/referrals/export";
import { reverseReferral } from "@/lib/program/referrals/reverse";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { applyEvent } from "@/lib/testing/confirm";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("the export holds a person's offers, deliveries and what members wrote about them, and nothing of others", async () => {
  const { tenant, api, metacode } = await referringTenant({ offer: "spring", codes: 5 });
  const ctx = asTeamMember(tenant.ctx);
  const events = ["referral.code_assigned", "referral.redeemed", "referral.reversed"] as const;
  await createEndpoint(ctx, { url: "https://example.com/hook", events: [...events] });
  for (const uid of ["eve", "bob"]) {
    await api.redeem(uid, metacode);
    await applyEvent(ctx, "$RCAnonymousID:1");
    const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
    await linkConfirmation(ctx, { eventId, uid, reason: `${uid} sent the receipt` });
    await reverseReferral(ctx, { referralId: await referralIdOf(ctx, uid), reason: `${uid} was refunded` });
    await joinUids(ctx, { uid, otherUid: `${uid}-2`, reason: `${uid} has two`, keepApart: "true" });
  }
  const file = await exportEndUser(ctx, "eve");
  expect(file.offers).toEqual([{ platform: "ios", offer: "spring", at: expect.any(Date) }]);
  const payload = expect.objectContaining({ referee_uid: "eve", metacode });
  expect(file.webhook_deliveries).toEqual(
    events.map((type) => ({ type, status: "pending", payload, at: expect.any(Date) })),
  );
  expect(file.members_texts).toMatchObject([
    { action: "event.linked", text: "eve sent the receipt" },
    { action: "referral.reversed", text: "eve was refunded" },
    { action: "person.joined", text: "eve has two" },
  ]);
  expect(JSON.stringify(file)).not.toMatch(/"bob|"ann/);
  const referrer = await exportEndUser(ctx, "ann");
  expect(referrer.webhook_deliveries).toHaveLength(2 * events.length);
  expect(JSON.stringify(referrer)).not.toMatch(/"bob|"eve/);
});

test("the export holds what was read from an event after its payload is cut, undone times and former metacodes", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("eve", metacode);
  const at = Date.now();
  await applyEvent(ctx, "$RCAnonymousID:1", "confirm", { purchase: "2000001", at });
  await applyEvent(ctx, "eve", "ignore");
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "eve", reason: "The receipt" });
  const purchase = { event_id: expect.any(String), purchase_id: "2000001", occurred_at: new Date(at) };
  expect((await exportEndUser(ctx, "eve")).provider_events).toMatchObject([
    { ...purchase, confirmation: { kind: "confirm" }, matched_by: { uid: "eve", hand: true } },
    { purchase_id: null, uids: ["eve"], links: [], matched_by: null },
  ]);
  await unlinkConfirmation(ctx, { eventId, reason: "A mistake" });
  expect((await exportEndUser(ctx, "eve")).undone_steps).toMatchObject([{ reversed_at: expect.any(Date) }]);
  await updateMetacode(ctx, (await api.referrer("ann")).body.referrer_id, "annette");
  const changed = { action: "referrer.metacode_changed", text: metacode };
  expect((await exportEndUser(ctx, "ann")).members_texts).toMatchObject([changed]);
});

test("the reason of a release is exported until the erasure", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("eve", metacode);
  const referralId = await referralIdOf(ctx, "eve");
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  expect((await exportEndUser(ctx, "eve")).members_texts).toMatchObject([
    { action: "referral.released", text: "Wrong friend" },
  ]);
  await eraseEndUser(ctx, "eve");
  await expect(exportEndUser(ctx, "eve")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the files of an app have no pseudonym in the place of an erased user's id", async () => {
  const { tenant, api, metacode } = await referringTenant();
  for (const uid of ["bob", "eve"]) await api.redeem(uid, metacode);
  await eraseEndUser(tenant.ctx, "eve");
  const [code] = await assignedCodes(tenant);
  const uids = [];
  for await (const row of await exportReferrals(tenant.ctx, {})) uids.push(row.referee_uid ?? null);
  for await (const { status, uid } of (await exportBatch(tenant.ctx, code?.batchId ?? "")).rows)
    if (status === "assigned") uids.push(uid);
  expect(uids.filter((uid) => uid !== "bob")).toEqual([null, null]);
});
