import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { StoreOffer } from "@/lib/contract/code-request";
import { storeOffers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { getPool } from "@/lib/pools/get";
import type { OfferRef } from "@/lib/stores/code-maker";

/** An offer of the app as the store last listed it, for a pool of that store. Throws VALIDATION_ERROR, NOT_FOUND. */
export async function offerForPool(ctx: Context, offer: OfferRef, poolId: string): Promise<StoreOffer> {
  const pool = await getPool(ctx, poolId);
  if (pool.platform !== "ios") {
    fail("VALIDATION_ERROR", "poolId must be a pool of the App Store", { field: "poolId" });
  }
  const one = and(
    eq(storeOffers.appId, ctx.app.id),
    eq(storeOffers.type, offer.type),
    eq(storeOffers.id, offer.id),
  );
  const [found] = await ctx.db.orm.select().from(storeOffers).where(one);
  if (!found)
    return fail("VALIDATION_ERROR", "offer is not in the list: read the offers again", { field: "offer" });
  if (!found.active) fail("VALIDATION_ERROR", "offer is switched off at the store", { field: "offer" });
  return found;
}
