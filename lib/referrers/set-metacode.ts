import { and, eq, ne } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { vanityField } from "@/lib/contract/metacode";
import { referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
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
    await reserveVanity(db, ctx.app.id, referrerId, slug);
    const changed = await db.orm
      .update(referrers)
      .set({ slug })
      .where(
        and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId), ne(referrers.status, "ended")),
      )
      .returning({ id: referrers.id });
    if (changed.length === 0) fail("NOT_FOUND", "There is no such referrer, or it has ended");
  });
  return { metacode: slug };
}
