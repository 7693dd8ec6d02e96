import { asc, eq } from "drizzle-orm";
import type { CodeCounts } from "@/lib/contract/batch";
import { sqlFunction } from "@/lib/platform/db/calls";
import { batches } from "@/lib/platform/db/schema";
import { TAIL } from "@/lib/program/stats/tail";
import type { Context } from "@/lib/tenants/context";

type Batch = typeof batches.$inferSelect;

/** A batch with its codes by their state. */
export type BatchStock = Batch & CodeCounts;

interface Figures {
  id: string;
  assigned: number;
  confirmed: number;
  free: number;
}

const BATCH_FIGURES = sqlFunction("batch_figures", { app: "uuid", tail: "int" }).returns<Figures[]>();

/**
 * The app's batches in the order of their creation, with counts. Reads no codes of a batch with more than 1,000
 * left, and at most 1,001 of any other. `marginOf`: milliseconds before expiry at which a pool's batch is no longer
 * used.
 */
export async function batchStock(
  ctx: Context,
  marginOf: (poolId: string) => number = () => 0,
): Promise<BatchStock[]> {
  const [rows, figures] = await Promise.all([
    ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id)).orderBy(asc(batches.id)),
    ctx.db.call(BATCH_FIGURES, { app: ctx.app.id, tail: TAIL }),
  ]);
  const byId = new Map(figures.map((counts) => [counts.id, counts]));
  return rows.map((row) => ({ ...row, ...split(row, byId.get(row.id), marginOf(row.poolId)) }));
}

function split(batch: Batch, figures: Figures | undefined, marginMs: number) {
  const { assigned = 0, confirmed = 0, free: left = 0 } = figures ?? {};
  const none = { assigned, confirmed, free: 0, quarantined: 0, expired: 0 };
  if (batch.state === "quarantined") return { ...none, quarantined: left };
  const over = batch.expiresAt !== null && batch.expiresAt.getTime() <= Date.now() + marginMs;
  return over ? { ...none, expired: left } : { ...none, free: left };
}
