import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { influencerProfile } from "@/lib/contract/influencer";
import { referrers } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { auditSubject, lockReferrer } from "./lock";

export const notesInput = influencerProfile.pick({ referrerId: true, notes: true });

/** Replaces what the team has written down about a referrer. Throws VALIDATION_ERROR, NOT_FOUND. */
export async function setReferrerNotes(ctx: Context, input: z.input<typeof notesInput>): Promise<void> {
  const { referrerId, notes } = parseInput(notesInput, input);
  await ctx.db.transaction(async (db) => {
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    const after = notes || null;
    if (before.notes === after) return;
    await db.orm
      .update(referrers)
      .set({ notes: after })
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
    await recordAudit(db, ctx, {
      ...{ action: "referrer.noted", ...auditSubject(before) },
      // Not the words: they are about a person, who may be erased.
      after: { notes: after === null ? "removed" : "changed" },
    });
  });
}
