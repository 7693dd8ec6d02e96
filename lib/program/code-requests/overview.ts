import { and, desc, eq } from "drizzle-orm";
import {
  CODE_REQUEST_FIELDS,
  type CodeRequestView,
  offerValue,
  REFILL_SETTINGS,
  type RefillView,
} from "@/lib/contract/code-request";
import { pick } from "@/lib/contract/pick";
import { databaseNow } from "@/lib/platform/db/chunks";
import { codeRequests, pools, refillRules } from "@/lib/platform/db/schema";
import { LATE_S } from "@/lib/platform/jobs/backlog";
import { findStoreKeyView } from "@/lib/program/app-store-connect/store-key";
import { listPoolOptions } from "@/lib/program/pools/get";
import { expiryIn, latestExpiry } from "@/lib/program/stores/expiry";
import type { Context } from "@/lib/tenants/context";
import { listOffers } from "./offers";
import { refilledThisQuarter } from "./usage";

/** Default validity of codes. */
const DEFAULT_DAYS = 90;

/** Older requests are in the audit log. */
const SHOWN_REQUESTS = 25;

/** All data of the dashboard's App Store Connect page. */
export async function getStoreOverview(ctx: Context) {
  const [storeKey, offers, requests, rules, options] = await Promise.all([
    findStoreKeyView(ctx),
    listOffers(ctx),
    listCodeRequests(ctx),
    listRefillRules(ctx),
    listPoolOptions(ctx),
  ]);
  const now = new Date(databaseNow());
  const expires = { usual: expiryIn(DEFAULT_DAYS, now), latest: latestExpiry(now) };
  return {
    storeKey,
    offers,
    requests,
    rules,
    pools: options.filter(({ platform }) => platform === "ios"),
    expires,
  };
}

/** The newest requests for codes of all pools. */
export async function listCodeRequests(ctx: Context): Promise<CodeRequestView[]> {
  const rows = await ctx.db.orm
    .select({ request: codeRequests, pool: pools.name })
    .from(codeRequests)
    .leftJoin(pools, and(eq(pools.appId, codeRequests.appId), eq(pools.id, codeRequests.poolId)))
    .where(eq(codeRequests.appId, ctx.app.id))
    .orderBy(desc(codeRequests.createdAt), desc(codeRequests.id))
    .limit(SHOWN_REQUESTS);
  return rows.map(({ request, pool }) => ({
    ...pick(request, CODE_REQUEST_FIELDS),
    pool: pool ?? "Deleted pool",
    batchId: request.imported ? request.batchId : null,
    late: isLate(request),
  }));
}

function isLate({ state, dueAt, leasedUntil }: typeof codeRequests.$inferSelect): boolean {
  const open = state === "asked" || state === "made";
  const since = Math.max(dueAt.getTime(), leasedUntil?.getTime() ?? 0);
  return open && databaseNow() - since > LATE_S * 1_000;
}

/** The refill rules of all pools. */
export async function listRefillRules(ctx: Context): Promise<RefillView[]> {
  const rules = await ctx.db.orm.select().from(refillRules).where(eq(refillRules.appId, ctx.app.id));
  return Promise.all(
    rules.map(async (rule) => ({
      ...pick(rule, ["poolId", "stopped", "stoppedBecause", ...REFILL_SETTINGS]),
      offer: offerValue({ type: rule.offerType, id: rule.offerId }),
      used: await refilledThisQuarter(ctx, rule.poolId),
    })),
  );
}
