import { and, eq, inArray, or, sql } from "drizzle-orm";
import { providerEvents, referrerProgress } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { tracesOf } from "./find-by-trace";
import { holdingsOf } from "./holdings";
import { pseudonymOf, uidHash } from "./pseudonym";
import { eventNames, windowsOf } from "./walk-rows";

/**
 * Everything that an app stores about an end user, for a data request. Invited friends are counted, their ids left out.
 * Audited, because the export holds whole codes. Throws NOT_FOUND.
 */
export async function exportEndUser(ctx: Context, uid: string) {
  const held = await holdingsOf(ctx, uid);
  const referralIds = held.referrals.map(({ id }) => id);
  const events = await eventsOf(ctx, uid, referralIds);
  const traces = await tracesOf(ctx, uid);
  const { referrals: own, places, undone } = held;
  const lists = [own, places, undone, events, held.notes, ...Object.values(traces)];
  if (!held.referrer && lists.every(({ length }) => length === 0)) {
    fail("NOT_FOUND", "Nothing is stored about this uid", { field: "uid" });
  }
  await recordAudit(ctx.db, ctx, {
    action: "person.exported",
    subject: "person",
    subjectId: pseudonymOf(uidHash(ctx.app.id, uid)),
  });
  const replaced = await replacementsByAssignment(ctx, [
    ...[...own, ...held.rewards].map(({ id }) => id),
    ...undone.map(({ referralId }) => referralId),
  ]);
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
      happened_at: step.happenedAt,
      undone_at: step.createdAt,
      code: held.codes.find(({ id }) => id === step.codeId)?.code,
      replaced_codes: replacedOf(step.referralId),
    })),
    provider_events: events.map(({ type, verdict, payload, createdAt }) => ({
      type,
      verdict,
      payload,
      at: createdAt,
    })),
    ...{ ...traces, notes: held.notes.map(({ text }) => text) },
  };
}

async function progressOf(ctx: Context, referrerId: string) {
  return ctx.db.orm
    .select({
      platform: referrerProgress.platform,
      confirmed: referrerProgress.confirmed,
      held: referrerProgress.held,
      earned: referrerProgress.earned,
      claimed: referrerProgress.claimed,
      withdrawn: referrerProgress.withdrawn,
    })
    .from(referrerProgress)
    .where(and(eq(referrerProgress.appId, ctx.app.id), eq(referrerProgress.referrerId, referrerId)));
}

/** Events of the person's referrals, and events that name the person, with any outcome; oldest first. */
async function eventsOf(ctx: Context, uid: string, referralIds: string[]) {
  const rows = { table: "provider_events", tenant: sql`app_id = ${ctx.app.id}` } as const;
  const own = or(eventNames(uid), inArray(providerEvents.referralId, referralIds));
  const found: (typeof providerEvents.$inferSelect)[] = [];
  for await (const within of windowsOf(ctx.db, rows)) {
    found.push(...(await ctx.db.orm.select().from(providerEvents).where(and(within, own))));
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
