import { and, eq, inArray, or } from "drizzle-orm";
import {
  codes,
  endUserNotes,
  refereesInLine,
  referrals,
  referrers,
  rewards,
  undoneSteps,
} from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

/**
 * The rows of an app that belong to a uid: as a referee, with the steps that were undone, and as a referrer with rewards; the
 * codes are those assigned now and those of released redemptions.
 */
export async function holdingsOf({ app, db }: Context, uid: string) {
  const appId = app.id;
  const ownReferrals = await db.orm
    .select()
    .from(referrals)
    .where(and(eq(referrals.appId, appId), eq(referrals.refereeUid, uid)));
  const [referrer] = await db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, appId), eq(referrers.uid, uid)));
  const earned = referrer
    ? await db.orm
        .select()
        .from(rewards)
        .where(and(eq(rewards.appId, appId), eq(rewards.referrerId, referrer.id)))
    : [];
  const undone = await db.orm
    .select()
    .from(undoneSteps)
    .where(and(eq(undoneSteps.appId, appId), eq(undoneSteps.refereeUid, uid)));
  const assignments = [...ownReferrals, ...earned].map(({ id }) => id);
  const released = undone.flatMap(({ codeId }) => codeId ?? []);
  const had = or(inArray(codes.assignmentId, assignments), inArray(codes.id, released));
  const assigned =
    assignments.length + released.length > 0
      ? await db.orm
          .select()
          .from(codes)
          .where(and(eq(codes.appId, appId), had))
      : [];
  const places = await db.orm
    .select()
    .from(refereesInLine)
    .where(and(eq(refereesInLine.appId, appId), eq(refereesInLine.refereeUid, uid)));
  const notes = await db.orm
    .select({ text: endUserNotes.notes })
    .from(endUserNotes)
    .where(and(eq(endUserNotes.appId, appId), eq(endUserNotes.uid, uid)));
  return { notes, places, referrals: ownReferrals, referrer, rewards: earned, codes: assigned, undone };
}
