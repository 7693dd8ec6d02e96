import { asc, eq } from "drizzle-orm";
import type { CodeCounts } from "@/lib/contract/batch";
import { DAY_MS } from "@/lib/contract/format";
import type { PoolView } from "@/lib/contract/pool";
import { pools } from "@/lib/platform/db/schema";
import { countInLine } from "@/lib/program/line/line";
import { type BatchStock, batchStock } from "@/lib/program/stats/batch-stock";
import { type PoolUsage, paceOf, poolUsage } from "@/lib/program/stats/pool-usage";
import type { Context } from "@/lib/tenants/context";

type Pool = typeof pools.$inferSelect;

/** A pool with its batches, the sums over them, and how long it lasts. */
export interface PoolStock extends Pool, Omit<PoolView, "batches"> {
  batches: BatchStock[];
  /** Milliseconds before its end at which a batch is no longer used. */
  marginMs: number;
  /** Referees who wait in line for codes of the pool. */
  inLine: number;
}

const SUMMED = ["size", "assigned", "confirmed", "free", "quarantined", "expired"] as const;

function sum(batches: BatchStock[]): CodeCounts {
  const total: CodeCounts = { size: 0, assigned: 0, confirmed: 0, free: 0, quarantined: 0, expired: 0 };
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

function stockOfPool(pool: Pool, batches: BatchStock[], usage: PoolUsage | undefined, inLine = 0): PoolStock {
  const marginMs = usage?.marginMs ?? 0;
  const perDay = paceOf(usage?.recent ?? 0, pool.createdAt);
  const [first] = inOrder(batches);
  return {
    ...pool,
    ...sum(batches),
    batches,
    inLine,
    usedBy: usage?.campaigns ?? [],
    nextExpiry: first?.expiresAt ? { at: first.expiresAt, codes: first.free } : null,
    perDay,
    marginMs,
    daysLeft: daysLeft(batches, perDay, marginMs),
  };
}

/** Every pool of the app, in the order of creation, with its stock. Never counts the codes of a large batch. */
export async function stockOf(ctx: Context): Promise<PoolStock[]> {
  const [rows, usage, inLine] = await Promise.all([
    ctx.db.orm.select().from(pools).where(eq(pools.appId, ctx.app.id)).orderBy(asc(pools.id)),
    poolUsage(ctx),
    countInLine(ctx),
  ]);
  const batches = await batchStock(ctx, (poolId) => usage.get(poolId)?.marginMs ?? 0);
  return rows.map((pool) =>
    stockOfPool(
      pool,
      batches.filter(({ poolId }) => poolId === pool.id),
      usage.get(pool.id),
      inLine.get(pool.id),
    ),
  );
}
