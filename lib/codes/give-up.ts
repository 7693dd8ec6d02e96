import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { batches } from "@/lib/db/schema";
import { removeBatch } from "./delete-free";

/**
 * Ends an unfinished import and removes what it stored. The full row lock waits for chunks that still run on the
 * server, and those that come later find the batch closed. `silent`: only if it has shown no sign of life for two minutes.
 */
export async function giveUpImport(db: Db, appId: string, batchId: string, silent = false): Promise<boolean> {
  const closed = await db.transaction(async ({ orm }) => {
    const one = and(eq(batches.appId, appId), eq(batches.id, batchId), eq(batches.state, "importing"));
    const stale = silent ? lt(batches.createdAt, sql`now() - interval '2 minutes'`) : undefined;
    const locked = await orm.select({ id: batches.id }).from(batches).where(and(one, stale)).for("update");
    if (locked.length > 0) await orm.update(batches).set({ state: "undone" }).where(one);
    return locked.length > 0;
  });
  if (closed) await removeBatch(db, appId, batchId);
  return closed;
}
