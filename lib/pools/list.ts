import { asc, eq } from "drizzle-orm";
import { type BatchRecord, type CodeCounts, listBatches } from "@/lib/codes/list-batches";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";
import type { Pool } from "./get";

export interface PoolWithStock extends Pool {
  batches: BatchRecord[];
  /** Sums over the batches. `available` counts only codes that can be given: those of batches in use. */
  counts: CodeCounts;
}

function sum(batches: BatchRecord[]): CodeCounts {
  const total: CodeCounts = { available: 0, assigned: 0, confirmed: 0, void: 0, quarantined: 0 };
  for (const { counts } of batches) {
    for (const state of Object.keys(total) as (keyof CodeCounts)[]) total[state] += counts[state];
  }
  return total;
}

/** The app's pools with their batches and stock. Every code that was given is counted, so this is for people to look at. */
export async function listPools(ctx: Context): Promise<PoolWithStock[]> {
  const [rows, batches] = await Promise.all([
    ctx.db.orm.select().from(pools).where(eq(pools.appId, ctx.app.id)).orderBy(asc(pools.id)),
    listBatches(ctx),
  ]);
  return rows.map((pool) => {
    const own = batches.filter((batch) => batch.poolId === pool.id);
    return { ...pool, batches: own, counts: sum(own) };
  });
}
