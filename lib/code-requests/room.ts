import { and, asc, desc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import {
  type CodeRequestView,
  offerWord,
  type RefillView,
  type StoreOffer,
} from "@/lib/contract/code-request";
import { codeRequests, pools, refillRules, storeOffers } from "@/lib/db/schema";
import { refilledThisQuarter } from "./usage";

/** Requests that are shown; older ones are in the audit log. */
const SHOWN = 25;

/** The offers that the store listed last. */
export async function listOffers(ctx: Context): Promise<StoreOffer[]> {
  const rows = await ctx.db.orm
    .select()
    .from(storeOffers)
    .where(eq(storeOffers.appId, ctx.app.id))
    .orderBy(asc(storeOffers.product), asc(storeOffers.name));
  return rows.map(({ appId, ...offer }) => offer);
}

/** The newest requests for codes, of every pool. */
export async function listRequests(ctx: Context): Promise<CodeRequestView[]> {
  const pool = and(eq(pools.appId, codeRequests.appId), eq(pools.id, codeRequests.poolId));
  const rows = await ctx.db.orm
    .select({ request: codeRequests, pool: pools.name })
    .from(codeRequests)
    .leftJoin(pools, pool)
    .where(eq(codeRequests.appId, ctx.app.id))
    .orderBy(desc(codeRequests.id))
    .limit(SHOWN);
  return rows.map(({ request, pool: name }) => {
    const { id, poolId, origin, offerName, amount, expiresOn, state, imported, batchId, trouble, createdAt } =
      request;
    return {
      ...{ id, poolId, origin, offerName, amount, expiresOn, state, imported, trouble, createdAt },
      ...{ pool: name ?? "Deleted pool", batchId: imported ? batchId : null },
    };
  });
}

/** How each pool fills itself up. */
export async function listRefills(ctx: Context): Promise<RefillView[]> {
  const rules = await ctx.db.orm.select().from(refillRules).where(eq(refillRules.appId, ctx.app.id));
  return Promise.all(
    rules.map(async ({ appId, offerType, offerId, stoppedAt, armedAt, createdAt, ...rule }) => ({
      ...rule,
      offer: offerWord({ type: offerType, id: offerId }),
      used: await refilledThisQuarter(ctx, rule.poolId),
    })),
  );
}
