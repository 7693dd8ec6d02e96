import { and, eq, inArray, sql } from "drizzle-orm";
import { AWAITED_STATES } from "@/lib/contract/code-request";
import { appStoreKeys, apps, codeRequests, storeOffers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { type StoreApi, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";
import { connectAppStore, findStoreKey, isReplaced, type KeyRow } from "./connect";
import { updateKeyStatus } from "./refill-status";

/** Reads the app's offers from the store and stores the list; returns how many. Throws CONFLICT with the store's error. */
export async function refreshOffers(
  ctx: Context,
  connect: (ctx: Context) => Promise<StoreApi> = connectAppStore,
): Promise<number> {
  const key = await findStoreKey(ctx);
  const offers = await readOffers(ctx, connect, key);
  const appId = ctx.app.id;
  await ctx.db.transaction(async (tx) => {
    const { orm } = tx;
    // The key's row is the lock: of two concurrent refreshes, the later list is stored whole.
    const own = eq(appStoreKeys.appId, appId);
    const locked = await orm.update(appStoreKeys).set({ listedAt: sql`now()` }).where(own).returning();
    if (locked.length === 0) fail("CONFLICT", "The key was removed in the meantime");
    if (await isReplaced({ ...ctx, db: tx }, key)) fail("CONFLICT", "The key was replaced in the meantime");
    const [app] = await orm.select().from(apps).where(eq(apps.id, appId)).for("share");
    if (app?.appleAppId !== ctx.app.appleAppId) fail("CONFLICT", "The Apple ID was changed in the meantime");
    await orm.delete(storeOffers).where(eq(storeOffers.appId, appId));
    if (offers.length > 0) await orm.insert(storeOffers).values(offers.map((offer) => ({ ...offer, appId })));
    await updateKeyStatus({ ...ctx, db: tx }, null);
    await retryRequests({ ...ctx, db: tx });
  });
  return offers.length;
}

/** Makes the app's waiting requests for codes due, because a new key or list of offers may be what they wait for. */
export async function retryRequests({ app, db }: Context): Promise<void> {
  const waiting = and(eq(codeRequests.appId, app.id), inArray(codeRequests.state, AWAITED_STATES));
  await db.orm.update(codeRequests).set({ dueAt: sql`now()` }).where(waiting);
}

async function readOffers(
  ctx: Context,
  connect: (ctx: Context) => Promise<StoreApi>,
  key: KeyRow | undefined,
) {
  try {
    return await (await connect(ctx)).listOffers();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.kind === "key" && !(await isReplaced(ctx, key))) await updateKeyStatus(ctx, error.message);
    return fail("CONFLICT", error.message);
  }
}
