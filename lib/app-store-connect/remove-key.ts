import { eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import { stopForKey } from "@/lib/code-requests/stop-refill";
import type { Context } from "@/lib/context";
import { appStoreKeys, storeOffers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** Deletes an app's key and the offers that were read with it. Requests and refills wait. Throws NOT_FOUND. */
export async function removeStoreKey(ctx: Context): Promise<void> {
  const { id } = ctx.app;
  await ctx.db.transaction(async (db) => {
    const [gone] = await db.orm.delete(appStoreKeys).where(eq(appStoreKeys.appId, id)).returning();
    if (!gone) return fail("NOT_FOUND", "There is no key of App Store Connect");
    await db.orm.delete(storeOffers).where(eq(storeOffers.appId, id));
    await stopForKey({ ...ctx, db }, "The key of App Store Connect was removed.");
    const { issuerId, keyId } = gone;
    await recordAudit(db, ctx, {
      ...{ action: "store_key.removed", subject: "app", subjectId: id, subjectName: keyId },
      before: { issuerId, keyId },
    });
  });
}
