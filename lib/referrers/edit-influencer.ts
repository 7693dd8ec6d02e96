import { and, eq } from "drizzle-orm";
import { changesOf } from "@/lib/audit/changes";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type InfluencerProfile, influencerProfile } from "@/lib/contract/influencer";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { auditSubject, lockReferrer } from "./lock";
import { profileOf, withProfile } from "./profile";

/** Replaces an influencer's name, handle and notes. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT for other referrers. */
export async function editInfluencer(ctx: Context, input: InfluencerProfile): Promise<void> {
  const { referrerId, name = null, handle = null, notes = null } = parseInput(influencerProfile, input);
  await ctx.db.transaction(async (db) => {
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    // A user of the app says by itself who it is, at its first call.
    if (before.campaignId === null) fail("CONFLICT", "Only influencers are described in the dashboard");
    const metadata = withProfile(before.metadata ?? {}, { name, handle });
    await db.orm
      .update(referrers)
      .set({ metadata, notes: notes || null })
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
    const old = { ...profileOf(before.metadata), notes: before.notes };
    await recordAudit(db, ctx, {
      action: "referrer.described",
      ...auditSubject(before),
      ...changesOf(old, { name, handle, notes: notes || null }),
    });
  });
}
