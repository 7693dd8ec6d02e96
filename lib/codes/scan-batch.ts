import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { CodeStatus } from "@/lib/contract/batch";
import { codes } from "@/lib/db/schema";
import type { Batch } from "./get-batch";
import { timeOf } from "./id-time";

type StoredCode = typeof codes.$inferSelect;

/** Codes looked at in one statement, of whatever batch. */
const WINDOW = 10_000;
/** How far the clocks of the service and the database may lie apart. */
const SKEW_MS = 300_000;

interface Found {
  /** The batch's codes in the window, in the order in which they were imported. */
  rows: StoredCode[];
  /** Where the next window begins; null where no code of the batch can follow. */
  next: string | null;
}

/**
 * A window over the app's codes from an id on, of which the batch's are returned. No index leads from a batch to its
 * codes: it would cost every redeem. But their ids lie together, made between the batch's own id and its end.
 */
export async function scanBatch(
  ctx: Context,
  batch: Batch,
  { after = batch.id, status, limit = WINDOW }: { after?: string; status?: CodeStatus; limit?: number },
): Promise<Found> {
  const { orm } = ctx.db;
  const window = orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), gt(codes.id, after)))
    .orderBy(asc(codes.id))
    .limit(WINDOW)
    .as("w");
  const own = eq(window.batchId, batch.id);
  const rows = await orm
    .select()
    .from(window)
    .where(and(own, status && eq(window.status, status)))
    .orderBy(asc(window.id))
    .limit(limit + 1);
  // A full page has stopped reading early; only a page that is not needs to know where the window ends.
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? null };
  const newest = sql<string | null>`max(${window.id}::text)`;
  const [edge] = await orm
    .select({ rows: count(), last: newest, lastOwn: sql<string | null>`${newest} filter (where ${own})` })
    .from(window);
  if (edge?.rows !== WINDOW || !edge.last) return { rows, next: null };
  return { rows, next: isOver(batch, edge.last, edge.lastOwn) ? null : edge.last };
}

/** Whether codes made after `last` are too young for the batch; one that has younger ones goes on with them. */
function isOver({ createdAt }: Batch, last: string, lastOwn: string | null): boolean {
  const end = createdAt.getTime() + SKEW_MS;
  return timeOf(last) > end && (lastOwn === null || timeOf(lastOwn) <= end);
}
