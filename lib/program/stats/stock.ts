import { asc, eq } from "drizzle-orm";
import type { CodeCounts } from "@/lib/contract/batch";
import { DAY_MS } from "@/lib/contract/format";
import type { PoolView } from "@/lib/contract/pool";
import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import { batches, pools } from "@/lib/platform/db/schema";
import { countInLine } from "@/lib/program/line/line";
import { type PoolUsage, paceOf, poolUsage } from "@/lib/program/stats/pool-usage";
import { TAIL } from "@/lib/program/stats/roll-up";
import type { Context } from "@/lib/tenants/context";

type Batch = typeof batches.$inferSelect;

/** A batch with its codes by their state. */
type BatchStock = Batch & CodeCounts;

interface Figures {
  id: string;
  assigned: number;
  confirmed: number;
  reserved: number;
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
  const own = eq(batches.appId, ctx.app.id);
  const rows = await ctx.db.orm.select().from(batches).where(own).orderBy(asc(batches.id));
  const figures = await ctx.db.call(BATCH_FIGURES, { app: ctx.app.id, tail: TAIL });
  const byId = new Map(figures.map((counts) => [counts.id, counts]));
  return rows.map((row) => ({ ...row, ...split(row, byId.get(row.id), marginOf(row.poolId)) }));
}

function split(batch: Batch, figures: Figures | undefined, marginMs: number) {
  const { assigned = 0, confirmed = 0, reserved = 0, free: left = 0 } = figures ?? {};
  const none = { assigned, confirmed, reserved, free: 0, quarantined: 0, expired: 0 };
  if (batch.state === "quarantined") return { ...none, quarantined: left };
  const over = batch.expiresAt !== null && batch.expiresAt.getTime() <= databaseNow() + marginMs;
  return over ? { ...none, expired: left } : { ...none, free: left };
}

type Pool = typeof pools.$inferSelect;

/** A pool with its batches, the sums over them, and how long it lasts. */
export interface PoolStock extends Pool, Omit<PoolView, "batches"> {
  batches: BatchStock[];
  /** Milliseconds before its end at which a batch is no longer used. */
  marginMs: number;
  /** Referees who wait in line for codes of the pool. */
  inLine: number;
}

const SUMMED = ["size", "assigned", "confirmed", "reserved", "free", "quarantined", "expired"] as const;

function sum(batches: BatchStock[]): CodeCounts {
  const total = Object.fromEntries(SUMMED.map((key) => [key, 0])) as unknown as CodeCounts;
  for (const batch of batches) {
    if (batch.state === "importing") continue;
    for (const key of SUMMED) total[key] += batch[key];
  }
  return total;
}

/**
 * Batches with free codes in the order in which `take_code` uses them up: by the pool's offers, then by expiry. By expiry alone
 * without offers.
 */
export function inOrderOfUse(batches: BatchStock[], offers: readonly string[] = []): BatchStock[] {
  const place = ({ offer }: BatchStock) => offers.indexOf(offer ?? "") + 1 || offers.length + 1;
  const end = ({ expiresAt }: BatchStock) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return batches.filter(({ free }) => free > 0).sort((a, b) => place(a) - place(b) || end(a) - end(b));
}

function daysLeft(ordered: BatchStock[], perDay: number, marginMs: number): number | null {
  if (perDay === 0) return null;
  let days = 0;
  for (const { free, expiresAt } of ordered) {
    const usable = expiresAt
      ? (expiresAt.getTime() - marginMs - databaseNow()) / DAY_MS - days
      : Number.POSITIVE_INFINITY;
    days += Math.max(0, Math.min(free / perDay, usable));
  }
  return days;
}

function stockOfPool(pool: Pool, batches: BatchStock[], usage: PoolUsage | undefined, inLine = 0): PoolStock {
  const marginMs = usage?.marginMs ?? 0;
  const perDay = usage ? paceOf(usage.recent, usage.firstDay, pool.createdAt) : 0;
  const [first] = inOrderOfUse(batches);
  return {
    ...pool,
    ...sum(batches),
    batches,
    inLine,
    usedBy: usage?.campaigns ?? [],
    nextExpiry: first?.expiresAt ? { at: first.expiresAt, codes: first.free } : null,
    perDay,
    marginMs,
    daysLeft: daysLeft(inOrderOfUse(batches, pool.offers), perDay, marginMs),
  };
}

/** Every pool of the app, oldest first, with its stock. One query at a time: a refill's transaction has one connection. */
export async function stockOf(ctx: Context): Promise<PoolStock[]> {
  const own = eq(pools.appId, ctx.app.id);
  const rows = await ctx.db.orm.select().from(pools).where(own).orderBy(asc(pools.id));
  const usage = await poolUsage(ctx);
  const inLine = await countInLine(ctx);
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
