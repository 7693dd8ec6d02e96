import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { type PoolStock, stockOf } from "@/lib/stats/stock";

interface BatchWithPool {
  pool: PoolStock;
  batch: PoolStock["batches"][number];
}

/** One batch of the app with its counts and its pool. Throws NOT_FOUND, for another app's batch too. */
export async function batchWithPool(ctx: Context, batchId: string): Promise<BatchWithPool> {
  for (const pool of await stockOf(ctx)) {
    const batch = pool.batches.find(({ id }) => id === batchId);
    if (batch) return { pool, batch };
  }
  return fail("NOT_FOUND", "There is no such batch");
}
