import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { batches, pools } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { log } from "@/lib/log";
import { batchName } from "./name";
import type { ImportCounts } from "./tally";

type NewBatch = Omit<typeof batches.$inferInsert, "appId" | "id" | "state" | "size" | "createdAt">;
type Opened = NewBatch & { id?: string | undefined };

/** A batch under way says this often that it lives; `sweepImports` takes it for dead after two minutes of silence. */
const PULSE_MS = 10_000;

/** Makes a batch that redeem does not see yet. Throws CONFLICT where its id was used before. */
export async function openBatch(ctx: Context, { id = uuidv7(), ...batch }: Opened): Promise<string> {
  const made = await ctx.db.transaction(async ({ orm }) => {
    const pool = and(eq(pools.appId, ctx.app.id), eq(pools.id, batch.poolId));
    // Held against a deletion of the pool at this moment.
    const held = await orm.select({ id: pools.id }).from(pools).where(pool).for("key share");
    if (held.length === 0) fail("NOT_FOUND", "There is no such pool");
    return orm
      .insert(batches)
      .values({ ...batch, appId: ctx.app.id, id, state: "importing" })
      .onConflictDoNothing()
      .returning({ id: batches.id });
  });
  if (made.length === 0)
    fail("CONFLICT", "This import has been started already, or is still being cleared away");
  return id;
}

function importing(ctx: Context, id: string) {
  return and(eq(batches.appId, ctx.app.id), eq(batches.id, id), eq(batches.state, "importing"));
}

/** Until a batch is ready its `created_at` is the last sign of life. Returns what ends the signs. */
export function keepAlive(ctx: Context, id: string, size: () => number): () => void {
  const beat = () =>
    ctx.db.orm
      .update(batches)
      .set({ createdAt: sql`now()`, size: size() })
      .where(importing(ctx, id))
      .catch((error: unknown) => log().warn({ err: error }, "an import could not show that it lives"));
  const timer = setInterval(beat, PULSE_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Hands the whole batch to redeem at once, and writes down who did. Throws CONFLICT where it was given up meanwhile. */
export async function finishBatch(ctx: Context, batch: NewBatch & { id: string }, counts: ImportCounts) {
  const { id, poolId, offer, kind, origin, expiresAt } = batch;
  const { imported: size, read, skipped } = counts;
  await ctx.db.transaction(async (db) => {
    const finished = await db.orm
      .update(batches)
      .set({ state: "ready", size, createdAt: sql`now()` })
      .where(importing(ctx, id))
      .returning({ id: batches.id });
    if (finished.length === 0) fail("CONFLICT", "The import was given up before it was finished");
    await recordAudit(db, ctx, {
      action: "batch.imported",
      subject: "batch",
      subjectId: id,
      subjectName: batchName(batch),
      after: { poolId, offer, kind, origin, expiresAt, imported: size, read, skipped },
    });
  });
}
