import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { batches } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { log } from "@/lib/log";

type NewBatch = Omit<typeof batches.$inferInsert, "appId" | "id" | "state" | "size" | "createdAt">;

/** A batch under way says this often that it lives; `sweepImports` takes it for dead after two minutes of silence. */
const PULSE_MS = 10_000;

/** Makes a batch that redeem does not see yet. */
export async function openBatch(ctx: Context, batch: NewBatch): Promise<string> {
  const id = uuidv7();
  await ctx.db.orm.insert(batches).values({ ...batch, appId: ctx.app.id, id, state: "importing" });
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

/** Hands the whole batch to redeem at once. Throws CONFLICT where it was given up meanwhile. */
export async function finishBatch(ctx: Context, id: string, size: number): Promise<void> {
  const finished = await ctx.db.orm
    .update(batches)
    .set({ state: "ready", size, createdAt: sql`now()` })
    .where(importing(ctx, id))
    .returning({ id: batches.id });
  if (finished.length === 0) fail("CONFLICT", "The import was given up before it was finished");
}
