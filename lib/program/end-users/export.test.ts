import { expect, test } from "vitest";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
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
  expect(file.webhook_deliveries).toEqual(
    events.map((type) => ({ type, status: "pending", at: expect.any(Date) })),
  );
  expect(file.members_texts).toMatchObject([
    { action: "event.linked", text: "eve sent the receipt" },
    { action: "referral.reversed", text: "eve was refunded" },
    { action: "person.joined", text: "eve has two" },
  ]);
  expect(JSON.stringify(file)).not.toContain("bob");
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
