import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { BATCH_FIELDS, batchName } from "@/lib/contract/batch";
import { pick } from "@/lib/contract/pick";
import { batches } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { setAside } from "@/lib/program/line/line";
import { lockPool } from "@/lib/program/pools/get";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import type { ImportCounts } from "./import-counter";

/** A batch to import. */
export type NewBatch = Omit<typeof batches.$inferInsert, "appId" | "id" | "state" | "size" | "createdAt"> & {
  id?: string | undefined;
};

/** Interval of the heartbeat. `sweepImports` treats an import as dead after two minutes without it. */
const HEARTBEAT_MS = 10_000;

/** Creates a batch that redeem does not see yet; returns its id. Throws CONFLICT if the id was used before. */
export async function createImportingBatch(ctx: Context, batch: NewBatch): Promise<string> {
  const { id = uuidv7(), ...values } = batch;
  const created = await ctx.db.transaction(async (db) => {
    await lockPool({ ...ctx, db }, batch.poolId);
    return db.orm
      .insert(batches)
      .values({ ...values, appId: ctx.app.id, id, state: "importing" })
      .onConflictDoNothing()
      .returning({ id: batches.id });
  });
  if (created.length === 0) {
    fail("CONFLICT", "This import has started already, or its last try is still being removed");
  }
  return id;
}

function importing(ctx: Context, id: string) {
  return and(eq(batches.appId, ctx.app.id), eq(batches.id, id), eq(batches.state, "importing"));
}

/** Writes the heartbeat of an import until the returned function is called: `created_at` until the batch is ready. */
export function startHeartbeat(ctx: Context, id: string, size: () => number): () => void {
  const beat = () =>
    ctx.db.orm
      .update(batches)
      .set({ createdAt: sql`now()`, size: size() })
      .where(importing(ctx, id))
      .catch((error: unknown) =>
        log().warn({ err: error }, "the heartbeat of an import could not be written"),
      );
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Makes the whole batch visible to redeem at once, with its audit entry. Throws CONFLICT if it was abandoned. */
export async function finishBatch(
  ctx: Context,
  batch: NewBatch & { id: string },
  { imported, read, skipped }: ImportCounts,
): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const finished = await db.orm
      .update(batches)
      .set({ state: "ready", size: imported, createdAt: sql`now()` })
      .where(importing(ctx, batch.id))
      .returning({ id: batches.id });
    if (finished.length === 0) fail("CONFLICT", "The import was abandoned before it was finished");
    await setAside({ ...ctx, db }, batch.poolId);
    await recordAudit(db, ctx, {
      action: "batch.imported",
      subject: "batch",
      subjectId: batch.id,
      subjectName: batchName(batch),
      after: { ...pick(batch, BATCH_FIELDS), imported, read, skipped },
    });
  });
}
