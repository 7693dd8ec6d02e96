import { and, asc, eq } from "drizzle-orm";
import { pick } from "@/lib/contract/pick";
import type { PoolName, PoolOption } from "@/lib/contract/pool";
import { pools } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { stockOf } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/** A pool as stored. */
export type Pool = typeof pools.$inferSelect;

/** The condition for one pool of the app. */
export const ownPool = (ctx: Context, poolId: string) =>
  and(eq(pools.appId, ctx.app.id), eq(pools.id, poolId));

/** A pool as the audit log names its subject. */
export function poolSubject({ id, name }: Pick<Pool, "id" | "name">) {
  return { subject: "pool", subjectId: id, subjectName: name };
}

const missing = () => fail("NOT_FOUND", "There is no such pool");

/** One pool of the app. Throws NOT_FOUND, for another app's pool too. */
export async function getPool(ctx: Context, poolId: string): Promise<Pool> {
  const [pool] = await ctx.db.orm.select().from(pools).where(ownPool(ctx, poolId));
  return pool ?? missing();
}

/** Keeps a pool from being deleted until the transaction ends. Throws NOT_FOUND. */
export async function lockPool(ctx: Context, poolId: string): Promise<void> {
  const locked = ctx.db.orm.select({ id: pools.id }).from(pools).where(ownPool(ctx, poolId)).for("key share");
  if ((await locked).length === 0) missing();
}

/** The app's pools by name, for a select field. */
export async function listPoolNames(ctx: Context): Promise<PoolName[]> {
  const { id, name, platform, use } = pools;
  return ctx.db.orm
    .select({ id, name, platform, use })
    .from(pools)
    .where(eq(pools.appId, ctx.app.id))
    .orderBy(asc(name), asc(id));
}

/** The app's pools with their free codes and the kind of the next code, for a select field. */
export async function listPoolOptions(ctx: Context): Promise<PoolOption[]> {
  return (await stockOf(ctx)).map((pool) => ({
    ...pick(pool, ["id", "name", "platform", "use", "free"]),
    kind: (pool.batches.find(({ free }) => free > 0) ?? pool.batches.at(-1))?.kind ?? "one_time",
  }));
}
