import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import {
  codes,
  idempotencyKeys,
  offerTakers,
  outbox,
  referrals,
  referrerProgress,
  rewards,
} from "@/lib/platform/db/schema";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { confirmByHand, releaseRedemption } from "@/lib/program/referrals/by-hand";
import { getReferral } from "@/lib/program/referrals/get";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";

useService();

const reason = "The user wrote to us";

/** A referrer with the open referrals of these referees. */
async function waiting(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ threshold: 1, codes: 5, offer: "Summer" });
  const ctx = asTeamMember(tenant.ctx);
  for (const uid of uids) expect((await api.redeem(uid, metacode)).status).toBe(200);
  const idOf = (uid: string) => referralIdOf(ctx, uid);
  const { orm } = ctx.db;
  const { id: app } = ctx.app;
  const counts = async () => {
    const [row] = await orm.select().from(referrerProgress).where(eq(referrerProgress.appId, app));
    return [row?.confirmed ?? 0, row?.earned ?? 0, await orm.$count(rewards, eq(rewards.appId, app))];
  };
  const emitted = async () =>
    (await orm.select().from(outbox).where(eq(outbox.appId, app))).map(({ type }) => type);
  const statusOf = async (uid: string) => (await getReferral(ctx, await idOf(uid))).status;
  return { ...tenant, ctx, api, metacode, idOf, counts, emitted, statusOf };
}

test("a confirmation by hand counts once, earns, is audited, and a later purchase changes nothing", async () => {
  const { ctx, idOf, counts, emitted } = await waiting("ben");
  const referralId = await idOf("ben");
  const outcomes = await inParallel(6, 6, () =>
    confirmByHand(ctx, { referralId, reason }).then(
      () => 1 as number,
      () => 0,
    ),
  );
  expect(outcomes.reduce((sum, done) => sum + done, 0)).toBe(1);
  expect(await counts()).toEqual([1, 1, 1]);
  expect(await applyEvent(ctx, "ben")).toBe("already_confirmed");
  expect(await counts()).toEqual([1, 1, 1]);
  expect((await emitted()).filter((type) => type === "referral.redeemed")).toHaveLength(1);
  expect(await auditOf(ctx)).toMatchObject([
    { action: "referral.confirmed_by_hand", subjectId: referralId, after: { reason } },
  ]);
  expect(await applyEvent(ctx, "ben", "reverse")).toBe("reversed");
  expect(await counts()).toEqual([0, 1, 1]);
});

test("a retry with the Idempotency-Key of a released redemption gets another code", async () => {
  const { ctx, api, metacode, idOf } = await waiting();
  const redeem = () => api.redeem("ben", metacode, "ios", {}, { "idempotency-key": "one intention" });
  const { code } = (await redeem()).body;
  expect((await redeem()).body.code).toBe(code);
  await releaseRedemption(ctx, { referralId: await idOf("ben"), reason });
  const again = await redeem();
  expect(again.status).toBe(200);
  expect(again.body.code).not.toBe(code);
});

test("a stored refusal does not show the code again after the release, under any Idempotency-Key", async () => {
  const { ctx, api, metacode, idOf } = await waiting("ben");
  const redeem = () => api.redeem("ben", metacode, "ios", {}, { "idempotency-key": "a retry" });
  const refused = await redeem();
  expect(refused.body.error.code).toBe("ALREADY_REDEEMED");
  const { code } = refused.body.redemption;
  expect((await redeem()).body.redemption.code).toBe(code);
  await releaseRedemption(ctx, { referralId: await idOf("ben"), reason });
  const again = await redeem();
  expect(again.status).toBe(200);
  expect(again.body.code).not.toBe(code);
});

test("a refusal of another friend's metacode is not replayed after the release", async () => {
  const { ctx, api, idOf } = await waiting("ben");
  const other = (await api.referrer("olga")).body.metacode;
  const redeem = () => api.redeem("ben", other, "android", {}, { "idempotency-key": "ben and olga" });
  for (const replayed of [null, "true"]) {
    const { body, headers } = await redeem();
    expect([body.error.code, body.redemption, headers.get("idempotency-replayed")]).toEqual([
      "ALREADY_REDEEMED",
      undefined,
      replayed,
    ]);
  }
  await releaseRedemption(ctx, { referralId: await idOf("ben"), reason });
  expect((await redeem()).status).toBe(200);
});

test("a release deletes stored responses of the last 24 hours only, which no older one is replayed after", async () => {
  const { ctx, api, metacode, idOf } = await waiting();
  const redeem = (key: string) => api.redeem("ben", metacode, "ios", {}, { "idempotency-key": key });
  const { code } = (await redeem("new")).body;
  await redeem("old");
  const { orm } = ctx.db;
  const { appId, key } = idempotencyKeys;
  await orm
    .update(idempotencyKeys)
    .set({ createdAt: new Date(Date.now() - DAY_MS) })
    .where(and(eq(appId, ctx.app.id), eq(key, "old")));
  const stored = () => orm.select().from(idempotencyKeys).where(eq(appId, ctx.app.id)).orderBy(asc(key));
  const [, old] = await stored();
  await releaseRedemption(ctx, { referralId: await idOf("ben"), reason });
  expect(await stored()).toEqual([old]);
  const again = await redeem("old");
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, null]);
  expect(again.body.code).not.toBe(code);
});

test("a released redemption voids its code, frees its offer, and its referee redeems again with another friend", async () => {
  const { ctx, api, metacode, idOf, emitted } = await waiting("ben");
  const referralId = await idOf("ben");
  const other = (await api.referrer("olga")).body.metacode;
  expect((await api.redeem("ben", other)).body.error.code).toBe("ALREADY_REDEEMED");
  await releaseRedemption(ctx, { referralId, reason });
  const { orm } = ctx.db;
  const used = await orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.redeemedByUid, "ben")));
  expect(used.map(({ status, assignmentId }) => [status, assignmentId])).toEqual([["void", null]]);
  expect(await orm.$count(offerTakers, eq(offerTakers.appId, ctx.app.id))).toBe(0);
  expect(await emitted()).toContain("referral.released");
  expect(await auditOf(ctx)).toMatchObject([
    { action: "referral.released", subjectId: referralId, subjectName: "ben", after: { reason } },
  ]);
  expect((await api.redeem("ben", other)).status).toBe(200);
  expect(await applyEvent(ctx, "ben")).toBe("confirmed");
  await expect(releaseRedemption(ctx, { referralId: await idOf("ben"), reason })).rejects.toThrow(
    "been confirmed",
  );
  expect((await api.redeem("cem", metacode)).status).toBe(200);
});

test("an unlinked purchase returns to the inbox, and its referral waits again", async () => {
  const { ctx, idOf, counts, emitted, statusOf } = await waiting("ben", "cem");
  await applyEvent(ctx, "$RCAnonymousID:1");
  const [event] = (await listUnmatched(ctx)).data;
  const eventId = event?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "ben", reason: "The receipt" });
  expect(await counts()).toEqual([1, 1, 1]);
  expect((await getReferral(ctx, await idOf("ben"))).timeline).toContainEqual(
    expect.objectContaining({ kind: "event", matchedBy: { uid: "ben", hand: true } }),
  );
  await unlinkConfirmation(ctx, { eventId, reason });
  expect([await statusOf("ben"), await counts()]).toEqual(["code_assigned", [0, 1, 1]]);
  expect((await emitted()).slice(-1)).toEqual(["referral.reversed"]);
  await linkConfirmation(ctx, { eventId, uid: "cem", reason: "The receipt" });
  expect([await statusOf("cem"), await counts()]).toEqual(["redeemed", [1, 1, 1]]);
  expect(await applyEvent(ctx, "ben")).toBe("confirmed");
  expect(await counts()).toEqual([2, 2, 2]);
  expect((await auditOf(ctx)).map(({ action }) => action)).toEqual([
    "event.linked",
    "event.unlinked",
    "event.linked",
  ]);
  expect((await auditOf(ctx))[0]?.after).toMatchObject({ verdict: "confirmed", reason: "The receipt" });
  expect((await auditOf(ctx))[1]?.after).toEqual({ verdict: "unmatched", reason });
  const own = async (uid: string) =>
    (await getReferral(ctx, await idOf(uid))).timeline.flatMap((entry) =>
      entry.kind === "audit" ? [[entry.action, entry.actor]] : [],
    );
  const linked = ["event.linked", "Sam Support"];
  expect(await own("ben")).toEqual([linked, ["event.unlinked", "Sam Support"]]);
  expect(await own("cem")).toEqual([linked]);
});

test("a purchase of the referee that came while another one was linked confirms after the unlinking", async () => {
  const { ctx, counts, statusOf } = await waiting("ben");
  await applyEvent(ctx, "$RCAnonymousID:2");
  const [event] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: event?.id ?? "", uid: "ben", reason: "The receipt" });
  expect(await applyEvent(ctx, "ben")).toBe("already_confirmed");
  await unlinkConfirmation(ctx, { eventId: event?.id ?? "", reason });
  expect([await statusOf("ben"), await counts()]).toEqual(["redeemed", [1, 1, 1]]);
  expect((await listUnmatched(ctx)).data.map(({ id }) => id)).toEqual([event?.id]);
});

test("a linked refund that is unlinked no longer reverses", async () => {
  const { ctx, counts, statusOf } = await waiting("ben");
  await applyEvent(ctx, "ben");
  await applyEvent(ctx, "$RCAnonymousID:3", "reverse");
  const [refund] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: refund?.id ?? "", uid: "ben", reason: "The receipt" });
  expect([await statusOf("ben"), await counts()]).toEqual(["reversed", [0, 1, 1]]);
  await unlinkConfirmation(ctx, { eventId: refund?.id ?? "", reason });
  expect([await statusOf("ben"), await counts()]).toEqual(["redeemed", [1, 1, 1]]);
});

test("a linked refund that became the reason of a reversal by hand leaves that as it was when it is unlinked", async () => {
  const { ctx, counts, emitted, statusOf, idOf } = await waiting("ben");
  await applyEvent(ctx, "ben");
  await reverseReferral(ctx, { referralId: await idOf("ben"), reason, withdraw: "true" });
  const before = [await statusOf("ben"), await counts(), await emitted()];
  await applyEvent(ctx, "$RCAnonymousID:3", "reverse");
  const [refund] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: refund?.id ?? "", uid: "ben", reason: "The receipt" });
  await unlinkConfirmation(ctx, { eventId: refund?.id ?? "", reason });
  expect([await statusOf("ben"), await counts(), await emitted()]).toEqual(before);
  // The reversal is a member's again, so a member may undo it.
  await restoreReferral(ctx, { referralId: await idOf("ben"), reason });
  expect([await statusOf("ben"), await counts()]).toEqual(["redeemed", [1, 1, 1]]);
});

test("an event that no member linked cannot be unlinked", async () => {
  const { ctx, counts } = await waiting("ben");
  await applyEvent(ctx, "ben");
  const [{ confirmedBy } = { confirmedBy: null }] = await ctx.db.orm
    .select()
    .from(referrals)
    .where(eq(referrals.appId, ctx.app.id));
  await expect(unlinkConfirmation(ctx, { eventId: confirmedBy ?? "", reason })).rejects.toThrow(
    "not linked by a member",
  );
  expect(await counts()).toEqual([1, 1, 1]);
});

test("another app's referrals and events stay as they are", async () => {
  const [mine, other] = [await waiting("ben"), await waiting("ben")];
  await applyEvent(other.ctx, "$RCAnonymousID:4");
  const [event] = (await listUnmatched(other.ctx)).data;
  const referralId = await other.idOf("ben");
  await linkConfirmation(other.ctx, { eventId: event?.id ?? "", uid: "ben", reason: "The receipt" });
  const before = await rowsOfApp(other.ctx.app.id);
  await expect(confirmByHand(mine.ctx, { referralId, reason })).rejects.toThrow("no such referral");
  await expect(releaseRedemption(mine.ctx, { referralId, reason })).rejects.toThrow("no such referral");
  await expect(unlinkConfirmation(mine.ctx, { eventId: event?.id ?? "", reason })).rejects.toThrow(
    "There is no such event",
  );
  expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
});
