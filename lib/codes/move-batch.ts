import { and, eq, inArray } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { batches } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { batchName } from "./name";

type Batch = typeof batches.$inferSelect;
type State = Batch["state"];

/**
 * Moves a batch to another state and writes down who did; `done` is the audit log's word for it. Throws NOT_FOUND, or
 * CONFLICT with the present state.
 */
export async function moveBatch(
  ctx: Context,
  id: string,
  from: State[],
  to: State,
  done: string,
): Promise<Batch> {
  const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, id));
  return ctx.db.transaction(async (db) => {
    const [batch] = await db.orm.select().from(batches).where(one).for("update");
    if (!batch) return fail("NOT_FOUND", "There is no such batch");
    if (!from.includes(batch.state)) fail("CONFLICT", `The batch is ${batch.state} and cannot be ${done}`);
    await db.orm
      .update(batches)
      .set({ state: to })
      .where(and(one, inArray(batches.state, from)));
    await recordAudit(db, ctx, {
      action: `batch.${done}`,
      subject: "batch",
      subjectId: id,
      subjectName: batchName(batch),
      before: { state: batch.state, size: batch.size },
      after: { state: to },
    });
    return batch;
  });
}
