import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { batches, codes } from "@/lib/db/schema";

/** Far below the five seconds of one statement. */
const CHUNK = 5_000;

/**
 * Deletes a batch's free codes in chunks, so that their texts can be imported again. A code that is being given
 * at this moment is waited for and stays if it is given.
 */
export async function deleteFree(db: Db, appId: string, batchId: string): Promise<number> {
  const free = and(eq(codes.appId, appId), eq(codes.batchId, batchId), eq(codes.status, "available"));
  const some = db.orm.select({ id: codes.id }).from(codes).where(free).limit(CHUNK).for("update");
  let total = 0;
  while (true) {
    // As an array it is read once; for `in (...)` the planner may run the locking select again and again.
    const chosen = sql`${codes.id} = any(array(${some}))`;
    const { rowCount } = await db.orm.delete(codes).where(and(eq(codes.appId, appId), chosen));
    total += rowCount ?? 0;
    if (rowCount === 0) return total;
  }
}

/** Removes a batch that never became ready, with all its codes. Its state must be `undone`. */
export async function removeBatch(db: Db, appId: string, batchId: string): Promise<void> {
  await deleteFree(db, appId, batchId);
  await db.orm
    .delete(batches)
    .where(and(eq(batches.appId, appId), eq(batches.id, batchId), eq(batches.state, "undone")));
}
