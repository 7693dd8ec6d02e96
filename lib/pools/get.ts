import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** A pool as it is stored. */
export type Pool = typeof pools.$inferSelect;

/** One pool of the app. Throws NOT_FOUND, for another app's pool too. */
export async function getPool(ctx: Context, poolId: string): Promise<Pool> {
  const [pool] = await ctx.db.orm
    .select()
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), eq(pools.id, poolId)));
  return pool ?? fail("NOT_FOUND", "There is no such pool");
}
