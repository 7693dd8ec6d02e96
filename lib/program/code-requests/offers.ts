import { and, asc, eq } from "drizzle-orm";
import type { StoreOffer } from "@/lib/contract/code-request";
import { storeOffers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { getPool } from "@/lib/program/pools/get";
import type { OfferRef } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";

/** The app's offers as the store last listed them. */
export async function listOffers(ctx: Context): Promise<StoreOffer[]> {
  const rows = await ctx.db.orm
    .select()
    .from(storeOffers)
    .where(eq(storeOffers.appId, ctx.app.id))
    .orderBy(asc(storeOffers.product), asc(storeOffers.name));
  return rows.map(({ appId, ...offer }) => offer);
}

/** The name under which batches of an offer are stored: without outer spaces, cut to 80 characters. */
export const batchOffer = (name: string): string => name.trim().slice(0, 80).trim();

/** An active offer, for a pool of the App Store. Throws VALIDATION_ERROR with the form's field of the offer, NOT_FOUND. */
export async function getOfferForPool(
  ctx: Context,
  offer: OfferRef,
  poolId: string,
  field = "offer",
): Promise<StoreOffer> {
  const pool = await getPool(ctx, poolId);
  if (pool.platform !== "ios") {
    fail("VALIDATION_ERROR", "poolId must be an App Store pool", { field: "poolId" });
  }
  const [found] = await ctx.db.orm
    .select()
    .from(storeOffers)
    .where(
      and(eq(storeOffers.appId, ctx.app.id), eq(storeOffers.type, offer.type), eq(storeOffers.id, offer.id)),
    );
  if (!found) {
    return fail("VALIDATION_ERROR", "An offer is not in the list: refresh the offers", { field });
  }
  if (!found.active) fail("VALIDATION_ERROR", `“${found.name}” is inactive in the store`, { field });
  return found;
}
