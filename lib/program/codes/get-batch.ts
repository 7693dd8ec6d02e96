import { and, eq, gte, lt } from "drizzle-orm";
import { batchName } from "@/lib/contract/batch";
import { isUuid } from "@/lib/contract/fields";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { auditLog, batches } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { type PoolStock, stockOf } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/** A batch as stored. */
export type StoredBatch = typeof batches.$inferSelect;

/** A batch as the audit log names its subject. */
export function batchSubject(batch: { id: string } & Parameters<typeof batchName>[0]) {
  return { subject: "batch", subjectId: batch.id, subjectName: batchName(batch) };
}

/** The offer of a custom code without a named offer, so that no user gets its text twice. */
export const customOffer = (batchId: string): string => `Custom code ${batchId.slice(-6)}`;

const MINUTE_MS = 60_000;

const missing = () => fail("NOT_FOUND", "There is no such batch");

async function findBatch(ctx: Context, batchId: string): Promise<StoredBatch | undefined> {
  if (!isUuid(batchId)) return undefined;
  const [batch] = await ctx.db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId)));
  return batch;
}

/** One batch of the app. Throws NOT_FOUND, for another app's batch too. */
export async function getBatch(ctx: Context, batchId: string): Promise<StoredBatch> {
  return (await findBatch(ctx, batchId)) ?? missing();
}

/** One batch of the app with its counts and its pool. Throws NOT_FOUND. */
export async function getBatchWithPool(
  ctx: Context,
  batchId: string,
): Promise<{ pool: PoolStock; batch: PoolStock["batches"][number] }> {
  for (const pool of await stockOf(ctx)) {
    const batch = pool.batches.find(({ id }) => id === batchId);
    if (batch) return { pool, batch };
  }
  return missing();
}

/** The progress of an import whose page lost its connection. `gone`: nothing is stored. `undone`: a member undid it. */
export async function findImport(
  ctx: Context,
  batchId: string,
): Promise<{ fate: "running" | "done" | "undone" | "gone"; imported: number }> {
  const batch = await findBatch(ctx, batchId);
  if (!batch) return { fate: "gone", imported: 0 };
  const { state, size: imported } = batch;
  if (state !== "undone") return { fate: state === "importing" ? "running" : "done", imported };
  // An abandoned import is also closed before it is deleted, but only a finished one is in the audit log.
  const finished = imported > 0 || (await findImporter(ctx, batch));
  return { fate: finished ? "undone" : "running", imported };
}

/**
 * The name of the account that imported a batch, from the audit log; undefined if the log has none. The entry was
 * written with the last update of `created_at`, so only the minutes around that time are read.
 */
export async function findImporter(
  ctx: Context,
  { id, createdAt }: StoredBatch,
): Promise<string | undefined> {
  const idAfter = (minutes: number) => firstIdAt(new Date(createdAt.getTime() + minutes * MINUTE_MS));
  const [entry] = await ctx.db.orm
    .select({ name: auditLog.actorName })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.workspaceId, ctx.workspace.id),
        gte(auditLog.id, idAfter(-5)),
        lt(auditLog.id, idAfter(5)),
        eq(auditLog.subjectId, id),
        eq(auditLog.action, "batch.imported"),
      ),
    )
    .limit(1);
  return entry?.name;
}
