import { and, eq, inArray } from "drizzle-orm";
import { BATCH_STATE_LABELS } from "@/lib/contract/batch";
import { batches } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { setAside, takeBack } from "@/lib/program/line/line";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { finishUndo } from "./abandon-import";
import { batchSubject, type StoredBatch } from "./get-batch";

type BatchState = StoredBatch["state"];

interface Transition {
  from: BatchState[];
  to: BatchState;
  action: "batch.quarantined" | "batch.restored" | "batch.undone";
}

/** Moves a batch to another state, with its entry in the audit log. Throws NOT_FOUND, CONFLICT. */
async function moveBatch(ctx: Context, id: string, { from, to, action }: Transition): Promise<void> {
  const byId = and(eq(batches.appId, ctx.app.id), eq(batches.id, id));
  await ctx.db.transaction(async (db) => {
    const [batch] = await db.orm.select().from(batches).where(byId).for("update");
    if (!batch) return fail("NOT_FOUND", "There is no such batch");
    if (!from.includes(batch.state)) {
      fail(
        "CONFLICT",
        `The batch is ${BATCH_STATE_LABELS[batch.state]} and cannot be ${action.slice("batch.".length)}`,
      );
    }
    await db.orm
      .update(batches)
      .set({ state: to })
      .where(and(byId, inArray(batches.state, from)));
    if (to !== "ready") await takeBack(db, ctx.app.id, id);
    await setAside({ ...ctx, db }, batch.poolId);
    await recordAudit(db, ctx, {
      action,
      ...batchSubject(batch),
      before: { state: batch.state, size: batch.size },
      after: { state: to },
    });
  });
}

/** Quarantines a batch: none of its codes is assigned until it is restored. Throws NOT_FOUND, CONFLICT. */
export async function quarantineBatch(ctx: Context, batchId: string): Promise<void> {
  await moveBatch(ctx, batchId, {
    from: ["ready", "drained"],
    to: "quarantined",
    action: "batch.quarantined",
  });
}

/** Restores a quarantined batch. Redeem checks whether codes are left. Throws NOT_FOUND, CONFLICT. */
export async function restoreBatch(ctx: Context, batchId: string): Promise<void> {
  await moveBatch(ctx, batchId, { from: ["quarantined"], to: "ready", action: "batch.restored" });
}

/**
 * Undoes an upload: deletes its free codes, which can be imported again, and keeps assigned codes. The text of an
 * assigned custom code stays taken: its free uses become void. `sweepImports` finishes an interrupted undo. Throws
 * NOT_FOUND, CONFLICT.
 */
export async function undoBatch(
  ctx: Context,
  batchId: string,
): Promise<{ deleted: number; assigned: number }> {
  const from: BatchState[] = ["ready", "drained", "quarantined"];
  await moveBatch(ctx, batchId, { from, to: "undone", action: "batch.undone" });
  return finishUndo(ctx.db, ctx.app.id, batchId);
}
