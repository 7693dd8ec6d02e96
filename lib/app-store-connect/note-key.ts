import { and, eq, isNotNull } from "drizzle-orm";
import { resumeAfterKey, stopForKey } from "@/lib/code-requests/stop-refill";
import type { Context } from "@/lib/context";
import { appStoreKeys } from "@/lib/db/schema";

/** Writes down whether Apple takes the key: why not, or null where it does. Refills stop with it and go on with it. */
export async function noteKey(ctx: Context, trouble: string | null): Promise<void> {
  const own = eq(appStoreKeys.appId, ctx.app.id);
  if (trouble !== null) {
    await ctx.db.orm.update(appStoreKeys).set({ trouble }).where(own);
    return stopForKey(ctx, trouble);
  }
  const { rowCount } = await ctx.db.orm
    .update(appStoreKeys)
    .set({ trouble: null })
    .where(and(own, isNotNull(appStoreKeys.trouble)));
  if (rowCount) await resumeAfterKey(ctx);
}
