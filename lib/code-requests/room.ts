import { and, asc, desc, eq } from "drizzle-orm";
import { storeKeyView } from "@/lib/app-store-connect/key-view";
import type { Context } from "@/lib/context";
import {
  type CodeRequestView,
  offerWord,
  type RefillView,
  type StoreOffer,
} from "@/lib/contract/code-request";
import { codeRequests, pools, refillRules, storeOffers } from "@/lib/db/schema";
import { stockOf } from "@/lib/stats/stock";
import { expiryIn, latestExpiry } from "@/lib/stores/expiry-window";
import { refilledThisQuarter } from "./usage";

/** Codes last so long unless somebody says otherwise. */
const USUAL_DAYS = 90;

/** Requests that are shown; older ones are in the audit log. */
const SHOWN = 25;

/** Everything that the room of the App Store shows. */
export async function storeRoom(ctx: Context) {
  const [storeKey, offers, requests, rules, stock] = await Promise.all([
    storeKeyView(ctx),
    listOffers(ctx),
    listRequests(ctx),
    listRefills(ctx),
    stockOf(ctx),
  ]);
  const now = new Date();
  const pools = stock
    .filter(({ platform }) => platform === "ios")
    .map(({ id, name, use, free }) => ({ id, name, use, free }));
  const expires = { usual: expiryIn(USUAL_DAYS, now), latest: latestExpiry(now) };
  return { storeKey, offers, requests, rules, pools, expires };
}

/** The offers that the store listed last. */
async function listOffers(ctx: Context): Promise<StoreOffer[]> {
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
    .orderBy(desc(codeRequests.createdAt), desc(codeRequests.id))
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
