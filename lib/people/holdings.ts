import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { codes, referrals, referrers, rewards } from "@/lib/db/schema";

/** Everything of an app that hangs on one uid: as a referee, and as a referrer with rewards. */
export async function holdingsOf(ctx: Context, uid: string, db: Db = ctx.db) {
  const appId = ctx.app.id;
  const redeemed = await db.orm
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
  const assignments = [...redeemed, ...earned].map(({ id }) => id);
  const given = assignments.length
    ? await db.orm
        .select()
        .from(codes)
        .where(and(eq(codes.appId, appId), inArray(codes.assignmentId, assignments)))
    : [];
  return { referrals: redeemed, referrer, rewards: earned, codes: given };
}
