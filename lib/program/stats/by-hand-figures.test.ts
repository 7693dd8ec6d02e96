import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { codes, referrals, referrerProgress } from "@/lib/platform/db/schema";
import { AppError } from "@/lib/platform/errors";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { confirmByHand, releaseRedemption } from "@/lib/program/referrals/by-hand";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent } from "@/lib/testing/confirm";
import {
  countedBatches,
  countedDays,
  rollUpNow,
  storedBatches,
  storedDays,
} from "@/lib/testing/daily-figures";
import { seededRandom, shuffled } from "@/lib/testing/numbers";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService();

const REFEREES = 30;
const reason = "A reason";

test("providers and members who change the same referrals in any order leave counts equal to the rows", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 3 * REFEREES });
  const ctx = asTeamMember(tenant.ctx);
  const { orm } = ctx.db;
  const own = eq(referrals.appId, ctx.app.id);
  await rollUpNow(ctx.app.id);
  const uids = Array.from({ length: REFEREES }, (_, index) => `referee-${index}`);
  await inParallel(REFEREES, 6, (index) => api.redeem(uids[index] ?? "", metacode));
  await inParallel(REFEREES, 6, (index) => applyEvent(ctx, `$RCAnonymousID:${index}`));
  const unknown = (await listUnmatched(ctx, { limit: 100 })).data.map(({ id }) => id);
  expect(unknown).toHaveLength(REFEREES);
  const steps = uids.flatMap((uid, index) => {
    const event = unknown[index] ?? "";
    const idOf = () => referralIdOf(ctx, uid);
    return [
      () => applyEvent(ctx, uid),
      () => applyEvent(ctx, uid, "reverse"),
      async () => confirmByHand(ctx, { referralId: await idOf(), reason }),
      async () => releaseRedemption(ctx, { referralId: await idOf(), reason }),
      async () => reverseReferral(ctx, { referralId: await idOf(), reason }),
      async () => restoreReferral(ctx, { referralId: await idOf(), reason: "A mistake" }),
      () => linkConfirmation(ctx, { eventId: event, uid, reason: "The receipt" }),
      () => unlinkConfirmation(ctx, { eventId: event, reason }),
      () => api.redeem(uid, metacode),
    ];
  });
  const mixed = shuffled([...steps, ...steps], seededRandom(11));
  let done = 0;
  await inParallel(mixed.length, 8, async (index) => {
    try {
      await mixed[index]?.();
      done += 1;
    } catch (error) {
      // A step that does not fit the state is refused; a released referral is gone.
      if (!(error instanceof AppError || String(error).includes("no referral of"))) throw error;
    }
  });
  expect(done).toBeGreaterThan(mixed.length / 3);
  const [progress] = await orm.select().from(referrerProgress).where(eq(referrerProgress.appId, ctx.app.id));
  const counted = await orm.$count(
    referrals,
    and(own, eq(referrals.status, "redeemed"), isNull(referrals.reversedAt)),
  );
  expect(progress?.confirmed).toBe(counted);
  const redeemed = await orm.$count(referrals, and(own, eq(referrals.status, "redeemed")));
  const confirmed = and(eq(codes.appId, ctx.app.id), eq(codes.status, "confirmed"));
  expect(await orm.$count(codes, confirmed)).toBe(redeemed);
  await rollUpNow(ctx.app.id);
  expect(await storedDays(ctx.app.id)).toEqual(await countedDays(ctx.app.id));
  expect(await storedBatches(ctx.app.id)).toEqual(await countedBatches(ctx.app.id));
});

test("a restored referral that is unlinked and released before the roll-up is confirmed once", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await rollUpNow(ctx.app.id);
  await api.redeem("bob", metacode);
  const referralId = await referralIdOf(ctx, "bob");
  await applyEvent(ctx, "$RCAnonymousID:1");
  const [{ id: eventId } = { id: "" }] = (await listUnmatched(ctx, { limit: 1 })).data;
  await linkConfirmation(ctx, { eventId, uid: "bob", reason });
  await reverseReferral(ctx, { referralId, reason });
  await restoreReferral(ctx, { referralId, reason });
  await unlinkConfirmation(ctx, { eventId, reason });
  await releaseRedemption(ctx, { referralId, reason });
  await rollUpNow(ctx.app.id);
  expect(await storedDays(ctx.app.id)).toEqual(await countedDays(ctx.app.id));
  expect(await storedBatches(ctx.app.id)).toEqual(await countedBatches(ctx.app.id));
});
