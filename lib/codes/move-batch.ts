import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { batches } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

type State = (typeof batches.$inferSelect)["state"];

/** Moves a batch to another state in one guarded update. Throws NOT_FOUND, or CONFLICT with its present state. */
export async function moveBatch(
  ctx: Context,
  id: string,
  from: State[],
  to: State,
  done: string,
): Promise<void> {
  const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, id));
  const moved = await ctx.db.orm
    .update(batches)
    .set({ state: to })
    .where(and(one, inArray(batches.state, from)))
    .returning({ id: batches.id });
  if (moved.length > 0) return;
  const [batch] = await ctx.db.orm.select({ state: batches.state }).from(batches).where(one);
  if (!batch) fail("NOT_FOUND", "There is no such batch");
  fail("CONFLICT", `The batch is ${batch.state} and cannot be ${done}`);
}
