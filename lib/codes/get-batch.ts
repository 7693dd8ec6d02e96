import { and, eq, gte, lt } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { auditLog, batches } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { idAt } from "./id-time";

/** A batch as it is stored. */
export type Batch = typeof batches.$inferSelect;

const MINUTE = 60_000;

/** One batch of the app. Throws NOT_FOUND, for another app's batch too. */
export async function getBatch(ctx: Context, batchId: string): Promise<Batch> {
  const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
  const [batch] = isUuid(batchId) ? await ctx.db.orm.select().from(batches).where(one) : [];
  return batch ?? fail("NOT_FOUND", "There is no such batch");
}

/**
 * Who imported a batch, by the audit log; undefined where it does not say. The entry was written with the batch's last
 * change of `created_at`, so only the minutes around that are read.
 */
export async function importerOf(ctx: Context, { id, createdAt }: Batch): Promise<string | undefined> {
  const around = (minutes: number) => idAt(createdAt.getTime() + minutes * MINUTE);
  const [entry] = await ctx.db.orm
    .select({ name: auditLog.actorName })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.workspaceId, ctx.workspace.id),
        gte(auditLog.id, around(-5)),
        lt(auditLog.id, around(5)),
        eq(auditLog.subjectId, id),
        eq(auditLog.action, "batch.imported"),
      ),
    )
    .limit(1);
  return entry?.name;
}
