import { and, eq, exists, lt, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { batches, codes } from "@/lib/db/schema";
import { deleteFree } from "./delete-free";
import { giveUpImport } from "./give-up";

/**
 * Removes what killed imports left, in every app, and finishes undoings that were cut off. Safe beside running imports:
 * they show every ten seconds that they live. Returns how many batches it dealt with.
 */
export async function sweepImports(db: Db): Promise<number> {
  const one = { appId: batches.appId, id: batches.id };
  const silent = await db.orm
    .select(one)
    .from(batches)
    .where(and(eq(batches.state, "importing"), lt(batches.createdAt, sql`now() - interval '2 minutes'`)));
  for (const { appId, id } of silent) await giveUpImport(db, appId, id, true);
  const free = db.orm
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.appId, batches.appId), eq(codes.batchId, batches.id), eq(codes.status, "available")));
  const halfUndone = await db.orm
    .select(one)
    .from(batches)
    .where(and(eq(batches.state, "undone"), exists(free)));
  for (const { appId, id } of halfUndone) await deleteFree(db, appId, id);
  return silent.length + halfUndone.length;
}
