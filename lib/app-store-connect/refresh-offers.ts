import { eq, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { appStoreKeys, storeOffers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import type { CodeMaker } from "@/lib/stores/code-maker";
import { StoreTrouble } from "@/lib/stores/trouble";
import { noteKey } from "./note-key";
import { openAppStore } from "./open";

/**
 * Reads the app's offers at the store and keeps the list; returns how many there are. Throws CONFLICT with the store's
 * words.
 */
export async function refreshOffers(
  ctx: Context,
  open: (ctx: Context) => Promise<CodeMaker> = openAppStore,
): Promise<number> {
  const offers = await readOffers(ctx, open);
  const appId = ctx.app.id;
  await ctx.db.transaction(async ({ orm }) => {
    // The key's row is the lock: of two that read at once the later one's list is whole.
    const own = eq(appStoreKeys.appId, appId);
    const kept = await orm.update(appStoreKeys).set({ listedAt: sql`now()` }).where(own).returning();
    if (kept.length === 0) fail("CONFLICT", "The key was removed meanwhile");
    await orm.delete(storeOffers).where(eq(storeOffers.appId, appId));
    if (offers.length > 0) await orm.insert(storeOffers).values(offers.map((offer) => ({ ...offer, appId })));
  });
  await noteKey(ctx, null);
  return offers.length;
}

async function readOffers(ctx: Context, open: (ctx: Context) => Promise<CodeMaker>) {
  try {
    return await (await open(ctx)).listOffers();
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    if (error.kind === "key") await noteKey(ctx, error.message);
    return fail("CONFLICT", error.message);
  }
}
