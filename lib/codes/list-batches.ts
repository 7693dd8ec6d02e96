import { and, asc, count, eq, isNotNull } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { batches, codes } from "@/lib/db/schema";

/** Codes by state. `quarantined`: free, but in a batch that is set aside; they are not in `available`. */
export interface CodeCounts {
  available: number;
  assigned: number;
  confirmed: number;
  void: number;
  quarantined: number;
}

type Batch = typeof batches.$inferSelect;

export interface BatchRecord extends Batch {
  counts: CodeCounts;
}

interface Group {
  batchId: string;
  status: keyof CodeCounts;
  codes: number;
}

/**
 * Two counts, each along a partial index: free codes by `codes_free`, given ones by `codes_assignment`. One count over
 * all statuses would read every code of every app.
 */
async function countCodes(ctx: Context): Promise<Group[]> {
  const mine = eq(codes.appId, ctx.app.id);
  const group = { batchId: codes.batchId, status: codes.status, codes: count() };
  const select = (where: ReturnType<typeof and>) =>
    ctx.db.orm.select(group).from(codes).where(where).groupBy(codes.batchId, codes.status);
  const [free, given] = await Promise.all([
    select(and(mine, eq(codes.status, "available"))),
    select(and(mine, isNotNull(codes.assignmentId))),
  ]);
  return [...free, ...given];
}

function countsOf(batch: Batch, groups: Group[]): CodeCounts {
  const total: CodeCounts = { available: 0, assigned: 0, confirmed: 0, void: 0, quarantined: 0 };
  for (const group of groups) if (group.batchId === batch.id) total[group.status] += group.codes;
  if (batch.state === "ready" || batch.state === "drained") return total;
  if (batch.state === "quarantined") total.quarantined = total.available;
  return { ...total, available: 0 };
}

/** The app's batches in the order in which they were made. One that is importing shows no code as available. */
export async function listBatches(ctx: Context): Promise<BatchRecord[]> {
  const [rows, groups] = await Promise.all([
    ctx.db.orm.select().from(batches).where(eq(batches.appId, ctx.app.id)).orderBy(asc(batches.id)),
    countCodes(ctx),
  ]);
  return rows.map((batch) => ({ ...batch, counts: countsOf(batch, groups) }));
}
