import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { batches } from "@/lib/db/schema";

/** What became of an import that somebody lost sight of; `gone`: nothing of it is stored. */
type ImportFate = "running" | "done" | "gone";

/** Whether an import goes on, has been done, or left nothing. */
export async function findImport(
  ctx: Context,
  batchId: string,
): Promise<{ fate: ImportFate; imported: number }> {
  const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
  const [batch] = isUuid(batchId)
    ? await ctx.db.orm.select({ state: batches.state, size: batches.size }).from(batches).where(one)
    : [];
  if (!batch) return { fate: "gone", imported: 0 };
  return { fate: batch.state === "importing" ? "running" : "done", imported: batch.size };
}
