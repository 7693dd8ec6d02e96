import { and, asc, eq, inArray } from "drizzle-orm";
import { PLATFORMS } from "@/lib/contract/format";
import { batches, offerTakers, referrerProgress } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { tracesOf } from "./find-by-trace";
import { holdingsOf } from "./holdings";
import { pseudonymOf, uidHash } from "./pseudonym";
import { recordsOf } from "./records";

/**
 * Everything that an app stores about an end user, for a data request, except copies that are deleted within days. Invited
 * friends are counted, but their ids are left out. Audited, because the export holds whole codes. Throws NOT_FOUND.
 */
export async function exportEndUser(ctx: Context, uid: string) {
  const held = await holdingsOf(ctx, uid);
  const { referrals: own, places, undone } = held;
  const assignments = [
    ...[...own, ...held.rewards].map(({ id }) => id),
    ...undone.map(({ referralId }) => referralId),
  ];
  const records = await recordsOf(ctx, uid, assignments.concat(held.referrer?.id ?? []));
  const traces = { ...(await tracesOf(ctx, uid)), offers: await offersOf(ctx, uid) };
  const lists = [own, places, undone, held.notes, ...Object.values(records), ...Object.values(traces)];
  if (!held.referrer && lists.every(({ length }) => length === 0)) {
    fail("NOT_FOUND", "Nothing is stored about this uid", { field: "uid" });
  }
  await recordAudit(ctx.db, ctx, {
    action: "person.exported",
    subject: "person",
    subjectId: pseudonymOf(uidHash(ctx.app.id, uid)),
  });
  const replaced = await replacementsByAssignment(ctx, assignments);
  const replacedOf = (id: string) =>
    (replaced.get(id) ?? []).map(({ oldCode, reason, createdAt }) => ({
      code: oldCode,
      reason,
      replaced_at: createdAt,
    }));
  const codesOf = (id: string) => ({
    code: held.codes.find(({ assignmentId }) => assignmentId === id)?.code,
    replaced_codes: replacedOf(id),
  });
  return {
    uid,
    exported_at: new Date().toISOString(),
    app: { id: ctx.app.id, name: ctx.app.name },
    referrer: held.referrer && {
      metacode: held.referrer.slug,
      status: held.referrer.status,
      metadata: held.referrer.metadata,
      notes: held.referrer.notes,
      created_at: held.referrer.createdAt,
      progress: await progressOf(ctx, held.referrer.id),
      rewards: held.rewards.map((reward) => ({
        platform: reward.platform,
        reward_number: reward.rewardNumber,
        status: reward.status,
        earned_at: reward.createdAt,
        claimed_at: reward.claimedAt,
        waits_for: reward.waitsFor,
        ...codesOf(reward.id),
      })),
    },
    referrals: held.referrals.map((referral) => ({
      platform: referral.platform,
      status: referral.status,
      clicked_at: referral.clickedAt,
      code_assigned_at: referral.createdAt,
      confirmed_at: referral.confirmedAt,
      purchase_id: referral.confirmedPurchase,
      counts_from: referral.countsFrom,
      reversed_at: referral.reversedAt,
      ...codesOf(referral.id),
    })),
    places_in_line: held.places.map(({ platform, createdAt, reservedUntil, state, beyond }) => ({
      platform,
      since: createdAt,
      state,
      beyond_limit: beyond,
      code_reserved_until: reservedUntil,
    })),
    undone_steps: undone.map((step) => ({
      step: step.step,
      platform: step.platform,
      clicked_at: step.clickedAt,
      happened_at: step.happenedAt,
      reversed_at: step.reversedAt,
      undone_at: step.createdAt,
      code: held.codes.find(({ id }) => id === step.codeId)?.code,
      replaced_codes: replacedOf(step.referralId),
    })),
    ...records,
    ...traces,
    notes: held.notes.map(({ text }) => text),
  };
}

async function progressOf({ app, db }: Context, id: string) {
  const { appId, referrerId, platform, confirmed, held, earned, claimed, withdrawn } = referrerProgress;
  const counts = { platform, confirmed, held, earned, claimed, withdrawn };
  const own = and(eq(appId, app.id), eq(referrerId, id));
  return db.orm.select(counts).from(referrerProgress).where(own);
}

/** The store offers that the person has had a code of; the app's offers bound the look-up, as in an erasure. */
function offersOf({ app, db }: Context, uid: string) {
  const { appId, platform, offer, createdAt: at } = offerTakers;
  const known = db.orm.select({ offer: batches.offer }).from(batches).where(eq(batches.appId, app.id));
  const own = and(inArray(platform, PLATFORMS), inArray(offer, known), eq(offerTakers.uid, uid));
  return db.orm
    .select({ platform, offer, at })
    .from(offerTakers)
    .where(and(eq(appId, app.id), own))
    .orderBy(asc(at));
}
