import { asc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";
import { type BatchStock, batchStock } from "@/lib/stats/batch-stock";
import { type PoolUsage, type PoolUser, paceOf, poolUsage } from "@/lib/stats/pool-usage";
import { DAY_MS } from "@/lib/stats/tail";

type Pool = typeof pools.$inferSelect;

/** A pool with its batches, the sums over them, and how long it lasts. */
export interface PoolStock extends Pool {
  batches: BatchStock[];
  /** Codes ever uploaded, but for those taken back. */
  size: number;
  given: number;
  confirmed: number;
  free: number;
  quarantined: number;
  expired: number;
  /** The campaigns that take codes from it. */
  usedBy: PoolUser[];
  /** The end of the batch that ends first among those with free codes, and how many it has. */
  nextExpiry: { at: Date; codes: number } | null;
  /** Codes given a day over the last seven days. */
  perDay: number;
  /** Days until the pool is empty at that pace, codes that expire before their turn left out; null: nothing is given. */
  daysLeft: number | null;
}

const SUMMED = ["size", "given", "confirmed", "free", "quarantined", "expired"] as const;

type Sums = Record<(typeof SUMMED)[number], number>;

function sum(batches: BatchStock[]): Sums {
  const total: Sums = { size: 0, given: 0, confirmed: 0, free: 0, quarantined: 0, expired: 0 };
  for (const batch of batches) {
    if (batch.state === "importing") continue;
    for (const key of SUMMED) total[key] += batch[key];
  }
  return total;
}

/** Batches with free codes in the order in which they are used up. */
function inOrder(batches: BatchStock[]): BatchStock[] {
  const end = ({ expiresAt }: BatchStock) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return batches.filter(({ free }) => free > 0).sort((a, b) => end(a) - end(b));
}

function daysLeft(batches: BatchStock[], perDay: number, marginMs: number): number | null {
  if (perDay === 0) return null;
  let days = 0;
  for (const { free, expiresAt } of inOrder(batches)) {
    const usable = expiresAt
      ? (expiresAt.getTime() - marginMs - Date.now()) / DAY_MS - days
      : Number.POSITIVE_INFINITY;
    days += Math.max(0, Math.min(free / perDay, usable));
  }
  return days;
}

function stockOfPool(pool: Pool, batches: BatchStock[], usage: PoolUsage | undefined): PoolStock {
  const perDay = paceOf(usage?.recent ?? 0, pool.createdAt);
  const [first] = inOrder(batches);
  return {
    ...pool,
    ...sum(batches),
    batches,
    usedBy: usage?.campaigns ?? [],
    nextExpiry: first?.expiresAt ? { at: first.expiresAt, codes: first.free } : null,
    perDay,
    daysLeft: daysLeft(batches, perDay, usage?.marginMs ?? 0),
  };
}

/** Every pool of the app and how long it lasts, in the order of their making. Never counts the codes of a large batch. */
export async function stockOf(ctx: Context): Promise<PoolStock[]> {
  const [rows, usage] = await Promise.all([
    ctx.db.orm.select().from(pools).where(eq(pools.appId, ctx.app.id)).orderBy(asc(pools.id)),
    poolUsage(ctx),
  ]);
  const batches = await batchStock(ctx, (poolId) => usage.get(poolId)?.marginMs ?? 0);
  return rows.map((pool) =>
    stockOfPool(
      pool,
      batches.filter(({ poolId }) => poolId === pool.id),
      usage.get(pool.id),
    ),
  );
}
