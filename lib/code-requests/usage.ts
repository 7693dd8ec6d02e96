import { and, eq, gte, ne, type SQL, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { codeRequests } from "@/lib/db/schema";

const QUARTER_START = sql`date_trunc('quarter', now() at time zone 'UTC') at time zone 'UTC'`;

async function sumOf(ctx: Context, which: SQL | undefined): Promise<number> {
  const asked = and(
    eq(codeRequests.appId, ctx.app.id),
    gte(codeRequests.createdAt, QUARTER_START),
    // What the store refused was not made; what was given up may have been.
    ne(codeRequests.state, "refused"),
  );
  const total = sql<number>`coalesce(sum(${codeRequests.amount}), 0)::int`;
  const [row] = await ctx.db.orm.select({ total }).from(codeRequests).where(and(asked, which));
  return row?.total ?? 0;
}

/** Codes that a pool's refill has asked for in this calendar quarter (UTC). */
export const refilledThisQuarter = (ctx: Context, poolId: string): Promise<number> =>
  sumOf(ctx, and(eq(codeRequests.poolId, poolId), eq(codeRequests.origin, "refill")));

/** Codes that the app has asked for in this calendar quarter, by people too. */
export const askedThisQuarter = (ctx: Context): Promise<number> => sumOf(ctx, undefined);
