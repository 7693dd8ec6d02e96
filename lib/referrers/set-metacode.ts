import { and, eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { vanityField } from "@/lib/contract/metacode";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { auditSubject, lockReferrer } from "./lock";
import { reserveVanity } from "./reserve-vanity";

/**
 * Gives a referrer another metacode. The old one stops working at once and stays reserved for this referrer, so that
 * nobody else earns from links already shared. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT where it is taken.
 */
export async function setMetacode(
  ctx: Context,
  referrerId: string,
  metacode: string,
): Promise<{ metacode: string }> {
  const slug = parseInput(vanityField, metacode, "metacode");
  await ctx.db.transaction(async (db) => {
    // First, because the directory decides races over all apps.
    await reserveVanity(db, ctx.app.id, referrerId, slug);
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    if (before.status === "ended") fail("NOT_FOUND", "There is no such referrer, or it has ended");
    if (before.slug === slug) return;
    await db.orm
      .update(referrers)
      .set({ slug })
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
    await recordAudit(db, ctx, {
      action: "referrer.metacode_changed",
      ...auditSubject(before),
      before: { metacode: before.slug },
      after: { metacode: slug },
    });
  });
  return { metacode: slug };
}
