import { and, eq, gte, isNotNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { codeRequests } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

const QUARTER_START = sql`date_trunc('quarter', now() at time zone 'UTC') at time zone 'UTC'`;

async function sumAmounts(ctx: Context, filter: SQL | undefined): Promise<number> {
  const counted = and(
    eq(codeRequests.appId, ctx.app.id),
    gte(codeRequests.createdAt, QUARTER_START),
    // A refused order created no codes; one of a request given up may have.
    or(notInArray(codeRequests.state, ["refused", "given_up"]), isNotNull(codeRequests.postedAt)),
  );
  const total = sql<number>`coalesce(sum(${codeRequests.amount}), 0)::int`;
  const [row] = await ctx.db.orm.select({ total }).from(codeRequests).where(and(counted, filter));
  return row?.total ?? 0;
}

/** Codes that a pool's refill has requested in this calendar quarter (UTC). */
export const refilledThisQuarter = (ctx: Context, poolId: string): Promise<number> =>
  sumAmounts(ctx, and(eq(codeRequests.poolId, poolId), eq(codeRequests.origin, "refill")));

/** Codes that the app has requested in this calendar quarter, by refills and by people. */
export const requestedThisQuarter = (ctx: Context): Promise<number> => sumAmounts(ctx, undefined);
