import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { referrals } from "@/lib/platform/db/schema";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { confirmByHand } from "@/lib/program/referrals/by-hand";
import { getReferral } from "@/lib/program/referrals/get";
import { linkCandidates } from "@/lib/program/referrals/link-candidates";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService();

const reason = "The user wrote to us";

/** A referral that a linked purchase confirmed, beside another purchase of the referee, with its reward. */
async function linkedReferral() {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1, codes: 5 });
  const ctx = asTeamMember(tenant.ctx);
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  await applyEvent(ctx, "$RCAnonymousID:9");
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "ben", reason });
  expect(await applyEvent(ctx, "ben")).toBe("already_confirmed");
  const referralId = await referralIdOf(ctx, "ben");
  const statusOf = async () => (await getReferral(ctx, referralId)).status;
  const rewards = async () => (await api.referrer("ann")).body.stats.rewards_available;
  return { ctx, api, eventId, referralId, statusOf, rewards };
}

test("unlinking the purchase of a referral that a member reversed is refused, and the withdrawn reward stays so", async () => {
  const { ctx, api, eventId, referralId, statusOf, rewards } = await linkedReferral();
  expect(await rewards()).toBe(1);
  await reverseReferral(ctx, { referralId, reason, withdraw: "true" });
  await expect(unlinkConfirmation(ctx, { eventId, reason })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("Undo the reversal first"),
  });
  expect([await statusOf(), await rewards()]).toEqual(["reversed", 0]);
  expect((await api.claim("ann")).status).toBe(404);
  await restoreReferral(ctx, { referralId, reason });
  await unlinkConfirmation(ctx, { eventId, reason });
  expect([await statusOf(), await rewards()]).toEqual(["redeemed", 1]);
});

test("a reversal that a refund of the linked purchase caused ends when the purchase is unlinked", async () => {
  const { ctx, eventId, statusOf } = await linkedReferral();
  expect(await applyEvent(ctx, "$RCAnonymousID:9", "reverse")).toBe("unmatched");
  const [refund] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: refund?.id ?? "", uid: "ben", reason });
  expect(await statusOf()).toBe("reversed");
  await unlinkConfirmation(ctx, { eventId, reason });
  expect(await statusOf()).toBe("redeemed");
});

/** Reports a refund or its withdrawal under a foreign id and links it with Ben; returns its id. */
async function linkRefund({ ctx }: Awaited<ReturnType<typeof linkedReferral>>, kind: "reverse" | "restore") {
  expect(await applyEvent(ctx, `$foreign-${uuidv7()}`, kind)).toBe("unmatched");
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "ben", reason });
  return eventId;
}

test.each([
  ["there was no refund", []],
  ["the refund before had been withdrawn", ["reverse", "restore"]],
] as const)(
  "a linked withdrawal that ended a reversal by hand is not unlinked where %s",
  async (_, kinds) => {
    const linked = await linkedReferral();
    const { ctx, referralId, statusOf, rewards } = linked;
    for (const kind of kinds) await linkRefund(linked, kind);
    await reverseReferral(ctx, { referralId, reason, withdraw: "true" });
    const eventId = await linkRefund(linked, "restore");
    await expect(unlinkConfirmation(ctx, { eventId, reason })).rejects.toMatchObject({ code: "CONFLICT" });
    expect([await statusOf(), await rewards()]).toEqual(["redeemed", 1]);
  },
);

test("a withdrawal is offered the referral that a refund reversed, not one that a member reversed", async () => {
  const linked = await linkedReferral();
  const { ctx, referralId } = linked;
  expect(await applyEvent(ctx, "$foreign", "restore")).toBe("unmatched");
  const [event] = (await listUnmatched(ctx)).data;
  const offered = async () => (await linkCandidates(ctx, event?.id ?? "")).data.map(({ id }) => id);
  await reverseReferral(ctx, { referralId, reason });
  expect(await offered()).toEqual([]);
  await linkRefund(linked, "reverse");
  expect(await offered()).toEqual([referralId]);
});

test("of a linked withdrawal before a reversal by hand, the refusal names the reversal", async () => {
  const linked = await linkedReferral();
  const { ctx, referralId, statusOf } = linked;
  await linkRefund(linked, "reverse");
  const eventId = await linkRefund(linked, "restore");
  await reverseReferral(ctx, { referralId, reason });
  await expect(unlinkConfirmation(ctx, { eventId, reason })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("Undo the reversal first"),
  });
  await restoreReferral(ctx, { referralId, reason });
  await unlinkConfirmation(ctx, { eventId, reason });
  expect(await statusOf()).toBe("reversed");
});

test("nor is one that gave a withdrawn reward back, and one that gave none is", async () => {
  const linked = await linkedReferral();
  const { ctx, referralId, statusOf, rewards } = linked;
  await linkRefund(linked, "reverse");
  const plain = await linkRefund(linked, "restore");
  await unlinkConfirmation(ctx, { eventId: plain, reason });
  expect([await statusOf(), await rewards()]).toEqual(["reversed", 1]);
  await linkRefund(linked, "restore");
  await reverseReferral(ctx, { referralId, reason, withdraw: "true" });
  await linkRefund(linked, "reverse");
  const eventId = await linkRefund(linked, "restore");
  await expect(unlinkConfirmation(ctx, { eventId, reason })).rejects.toMatchObject({ code: "CONFLICT" });
  expect([await statusOf(), await rewards()]).toEqual(["redeemed", 1]);
});

test.each(["before", "after"])(
  "the refund of the purchase counts that came %s another one of a referral confirmed by hand was unlinked",
  async (when) => {
    const { tenant, api, metacode } = await referringTenant({ codes: 5 });
    const ctx = asTeamMember(tenant.ctx);
    await api.redeem("ben", metacode);
    await confirmByHand(ctx, { referralId: await referralIdOf(ctx, "ben"), reason });
    await applyEvent(ctx, "$RCAnonymousID:9", "confirm", { purchase: "of another user" });
    const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
    expect(await linkConfirmation(ctx, { eventId, uid: "ben", reason })).toMatchObject({
      status: "already_confirmed",
    });
    const buy = () => applyEvent(ctx, "ben", "confirm", { purchase: "Ben's" });
    if (when === "before") await buy();
    await unlinkConfirmation(ctx, { eventId, reason });
    if (when === "after") await buy();
    expect(await applyEvent(ctx, "ben", "reverse", { purchase: "Ben's" })).toBe("reversed");
  },
);

test("a refund counts that came while another purchase was linked, and before the confirmation by hand", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 5 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ben", metacode);
  const referralId = await referralIdOf(ctx, "ben");
  await ctx.db.orm
    .update(referrals)
    .set({ createdAt: sql`now() - interval '1 day'` })
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.id, referralId)));
  await confirmByHand(ctx, { referralId, reason });
  await applyEvent(ctx, "$RCAnonymousID:9", "confirm", {
    purchase: "of another user",
    at: Date.now() - 7_200_000,
  });
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "ben", reason });
  const own = { purchase: "Ben's", at: Date.now() - 3_600_000 };
  expect(await applyEvent(ctx, "ben", "confirm", own)).toBe("already_confirmed");
  expect(await applyEvent(ctx, "ben", "reverse", own)).toBe("unmatched");
  await unlinkConfirmation(ctx, { eventId, reason });
  expect((await getReferral(ctx, referralId)).status).toBe("reversed");
});

test("a member whose page is stale does not take a purchase from the referral to which a colleague has linked it since", async () => {
  const { ctx, api, eventId, referralId } = await linkedReferral();
  const { metacode } = (await api.referrer("ann")).body;
  await unlinkConfirmation(ctx, { eventId, referralId, reason });
  await api.redeem("cem", metacode);
  await ctx.db.orm
    .update(referrals)
    .set({ createdAt: sql`now() - interval '1 hour'` })
    .where(eq(referrals.appId, ctx.app.id));
  await linkConfirmation(ctx, { eventId, uid: "cem", reason });
  const cem = await referralIdOf(ctx, "cem");
  const stale = () => unlinkConfirmation(ctx, { eventId, referralId, reason });
  const refusal = {
    code: "CONFLICT",
    message: expect.stringContaining("linked this event to another referral"),
  };
  await expect(stale()).rejects.toMatchObject(refusal);
  // Not that of the other referral, which the member does not see.
  await reverseReferral(ctx, { referralId: cem, reason });
  await expect(stale()).rejects.toMatchObject(refusal);
  await restoreReferral(ctx, { referralId: cem, reason });
  expect((await getReferral(ctx, cem)).status).toBe("redeemed");
  await unlinkConfirmation(ctx, { eventId, referralId: cem, reason });
  expect((await getReferral(ctx, cem)).status).toBe("code_assigned");
});
