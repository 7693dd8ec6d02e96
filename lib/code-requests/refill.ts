import { and, desc, eq, inArray, isNull, or } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { STORE_LIMIT } from "@/lib/contract/code-request";
import { codeRequests, refillRules } from "@/lib/db/schema";
import { stockOf } from "@/lib/stats/stock";
import { expiryIn } from "@/lib/stores/expiry-window";
import { insertRequest } from "./ask";
import { rearmRefill, stopRefill } from "./stop-refill";
import { askedThisQuarter, refilledThisQuarter } from "./usage";

type Rule = typeof refillRules.$inferSelect;

/** What ends by itself: a new quarter, or a higher cap. */
const PASSING = ["cap", "store_limit"] as const;

/** Asks for codes for each pool that has fallen to its threshold and fills itself up. Never twice for one refill. */
export async function refillPools(ctx: Context): Promise<void> {
  const may = or(isNull(refillRules.stopped), inArray(refillRules.stopped, [...PASSING]));
  const rules = await ctx.db.orm
    .select({ poolId: refillRules.poolId })
    .from(refillRules)
    .where(and(eq(refillRules.appId, ctx.app.id), eq(refillRules.enabled, true), may));
  for (const { poolId } of rules) {
    // Of the stock beside the transaction, whose one connection cannot read two things at once.
    await ctx.db.transaction((db) => refill({ ...ctx, db }, poolId, () => stockOf(ctx)));
  }
}

/** The rule's row is the lock: the stock is read after a refill that ended meanwhile has brought its codes. */
async function refill(ctx: Context, poolId: string, stock: () => ReturnType<typeof stockOf>): Promise<void> {
  const { orm } = ctx.db;
  const one = and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId));
  const [rule] = await orm.select().from(refillRules).where(one).for("update");
  if (!rule?.enabled) return;
  const last = await lastRefill(ctx, poolId);
  if (last && ["asked", "made", "unclear"].includes(last.state)) return;
  const pool = (await stock()).find(({ id }) => id === poolId);
  if (!pool || pool.free > rule.threshold) return;
  const failure = last && last.createdAt > rule.armedAt && failureOf(last);
  if (failure) return stopRefill(ctx, poolId, failure, last.trouble ?? "");
  const limit = await limitOf(ctx, rule);
  if (limit) return stopRefill(ctx, poolId, limit.stopped, limit.because);
  if (rule.stopped) await rearmRefill(ctx, poolId);
  const { offerType, offerId, offerName, amount, validDays } = rule;
  const expiresOn = expiryIn(validDays, new Date());
  await insertRequest(ctx, { poolId, origin: "refill", offerType, offerId, offerName, amount, expiresOn });
}

/** What of the last refill speaks against another one. */
function failureOf({ state, imported }: typeof codeRequests.$inferSelect) {
  if (state === "refused") return "refused";
  return state === "imported" && imported === 0 ? "nothing_new" : undefined;
}

async function lastRefill(ctx: Context, poolId: string) {
  const own = and(eq(codeRequests.appId, ctx.app.id), eq(codeRequests.poolId, poolId));
  const [last] = await ctx.db.orm
    .select()
    .from(codeRequests)
    .where(and(own, eq(codeRequests.origin, "refill")))
    .orderBy(desc(codeRequests.createdAt))
    .limit(1);
  return last;
}

/** Which limit a further refill would pass. */
async function limitOf(ctx: Context, { poolId, amount, quarterCap }: Rule) {
  const used = await refilledThisQuarter(ctx, poolId);
  const number = (count: number) => count.toLocaleString("en");
  if (used + amount > quarterCap) {
    const because = `Your cap is reached: ${number(used)} of ${number(quarterCap)} codes of this quarter were asked for, and a refill is ${number(amount)}.`;
    return { stopped: "cap", because } as const;
  }
  if ((await askedThisQuarter(ctx)) + amount > STORE_LIMIT) {
    const because = "Apple's limit is reached: it makes 1,000,000 codes for an app in a quarter.";
    return { stopped: "store_limit", because } as const;
  }
  return undefined;
}
