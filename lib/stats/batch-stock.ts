import { asc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { batches } from "@/lib/db/schema";
import { TAIL } from "@/lib/stats/tail";

type Batch = typeof batches.$inferSelect;

/** A batch and what is left of it. Its `size` is what was uploaded; of one taken back, what stayed with people. */
export interface BatchStock extends Batch {
  /** Ever given to somebody, confirmed ones included. */
  given: number;
  confirmed: number;
  /** Can be given now. */
  free: number;
  /** Free, but in a batch that is set aside. */
  quarantined: number;
  /** Free, but past the batch's end, or too close to it. */
  expired: number;
}

interface Figures {
  id: string;
  given: number;
  confirmed: number;
  free: number;
}

/**
 * The app's batches in the order of their making, with counts. No code is read of a batch that has more than 1,000
 * left, and at most 1,001 of any other. `marginOf`: how long before its end a pool's batch is no longer used, in ms.
 */
export async function batchStock(
  ctx: Context,
  marginOf: (poolId: string) => number = () => 0,
): Promise<BatchStock[]> {
  const [rows, figures] = await Promise.all([
    ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id)).orderBy(asc(batches.id)),
    ctx.db.call<Figures[]>("batch_figures", [ctx.app.id, TAIL]),
  ]);
  const found = new Map(figures.map((one) => [one.id, one]));
  return rows.map((row) => ({ ...row, ...split(row, found.get(row.id), marginOf(row.poolId)) }));
}

function split(batch: Batch, figures: Figures | undefined, marginMs: number) {
  const { given = 0, confirmed = 0, free: left = 0 } = figures ?? {};
  const none = { given, confirmed, free: 0, quarantined: 0, expired: 0 };
  if (batch.state === "quarantined") return { ...none, quarantined: left };
  const over = batch.expiresAt !== null && batch.expiresAt.getTime() <= Date.now() + marginMs;
  return over ? { ...none, expired: left } : { ...none, free: left };
}
