import { and, count, eq, ne } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { batches, codes } from "@/lib/db/schema";
import { deleteFree } from "./delete-free";
import { moveBatch } from "./move-batch";

/**
 * Takes an upload back: its free codes go and can be imported again, given ones stay with their people. The text of a
 * custom code that somebody has stays taken: its free uses become void. Cut off in the middle, it is finished by
 * `sweepImports`. Throws NOT_FOUND, CONFLICT.
 */
export async function undoBatch(ctx: Context, batchId: string): Promise<{ deleted: number; kept: number }> {
  await moveBatch(ctx, batchId, ["ready", "drained", "quarantined"], "undone", "undone");
  await voidGivenCustom(ctx, batchId);
  const deleted = await deleteFree(ctx.db, ctx.app.id, batchId);
  const { orm } = ctx.db;
  const [left] = await orm
    .select({ codes: count() })
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.batchId, batchId)));
  const kept = left?.codes ?? 0;
  await orm
    .update(batches)
    .set({ size: kept })
    .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId)));
  return { deleted, kept };
}

async function voidGivenCustom(ctx: Context, batchId: string): Promise<void> {
  const { orm } = ctx.db;
  const one = and(eq(codes.appId, ctx.app.id), eq(codes.batchId, batchId));
  const [given] = await orm
    .select({ id: codes.id })
    .from(codes)
    .innerJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
    .where(and(one, eq(batches.kind, "custom"), ne(codes.status, "available")))
    .limit(1);
  if (!given) return;
  await orm
    .update(codes)
    .set({ status: "void" })
    .where(and(one, eq(codes.status, "available")));
}
