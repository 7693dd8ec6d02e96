import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { CodeStatus } from "@/lib/contract/batch";
import { maskCode } from "@/lib/contract/code-file";
import { isUuid } from "@/lib/contract/fields";
import { pick } from "@/lib/contract/pick";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { codes } from "@/lib/platform/db/schema";
import { type Page, type Paged, pageSize } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";
import type { StoredBatch } from "./get-batch";

type CodeRow = typeof codes.$inferSelect;

const LISTED_FIELDS = ["id", "useNumber", "status", "assignedAt", "redeemedByUid"] as const;

/** A code in a list: masked. */
type ListedCode = Pick<CodeRow, (typeof LISTED_FIELDS)[number]> & { masked: string };

/**
 * A page of a batch's codes in the order of the file, masked. A page with a cursor is not the last, however few
 * rows it has.
 */
export async function listCodes(
  ctx: Context,
  batch: StoredBatch,
  { status, ...page }: Page & { status?: CodeStatus | undefined },
): Promise<Paged<ListedCode>> {
  const after = page.cursor && isUuid(page.cursor) ? page.cursor : batch.id;
  const limit = pageSize(page);
  const { rows, next } = await scanBatch(ctx, batch, { after, limit, ...(status && { status }) });
  const data = rows.map((row) => ({ ...pick(row, LISTED_FIELDS), masked: maskCode(row.code) }));
  return { data, nextCursor: next };
}

/** Codes read in one statement, of any batch. */
const WINDOW = 10_000;
/** Allowed difference between the clocks of the service and the database. */
const CLOCK_SKEW_MS = 300_000;

interface BatchWindow {
  /** The batch's codes in the window, in the order of their import. */
  rows: CodeRow[];
  /** Start of the next window; null if no code of the batch can follow. */
  next: string | null;
}

/**
 * A window over the app's codes after an id, filtered by the batch. There is no index from a batch to its codes,
 * because it would slow down every redeem. Their ids are close together, though: between the batch's id and its end.
 */
export async function scanBatch(
  ctx: Context,
  batch: StoredBatch,
  { after = batch.id, status, limit = WINDOW }: { after?: string; status?: CodeStatus; limit?: number },
): Promise<BatchWindow> {
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
  // A full page stops reading early; any other page needs the end of the window.
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? null };
  const newest = sql<string | null>`max(${window.id}::text)`;
  const [edge] = await orm
    .select({ rows: count(), last: newest, lastOwn: sql<string | null>`${newest} filter (where ${own})` })
    .from(window);
  if (edge?.rows !== WINDOW || !edge.last) return { rows, next: null };
  return { rows, next: isAfterBatch(batch, edge.last, edge.lastOwn) ? null : edge.last };
}

/** Whether codes created after `last` are too young for the batch, unless the batch itself has younger codes. */
function isAfterBatch({ createdAt }: StoredBatch, last: string, lastOwn: string | null): boolean {
  const end = createdAt.getTime() + CLOCK_SKEW_MS;
  return timeOfId(last) > end && (lastOwn === null || timeOfId(lastOwn) <= end);
}
