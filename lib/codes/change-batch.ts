import { and, count, eq } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { batchChange } from "@/lib/contract/batch";
import type { Db } from "@/lib/db/client";
import { batches, codes } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { type Batch, getBatch } from "./get-batch";
import { batchName } from "./name";

/**
 * Changes when a batch ends, and which offer it belongs to. The offer only while nobody has a code of it: who has had one
 * is remembered under the offer's name, and would get a second one. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT.
 */
export async function changeBatch(ctx: Context, input: z.input<typeof batchChange>): Promise<void> {
  const { batchId, offer = null, expiresAt = null } = parseInput(batchChange, input);
  await ctx.db.transaction(async (db) => {
    const one = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
    await db.orm.select({ id: batches.id }).from(batches).where(one).for("update");
    const before = await getBatch({ ...ctx, db }, batchId);
    if (before.state === "importing" || before.state === "undone") {
      fail("CONFLICT", `The batch is ${before.state} and cannot be changed`);
    }
    if (offer !== before.offer && (await hasGiven(db, before))) {
      fail("CONFLICT", "The offer cannot be changed: codes of this batch were given already", {
        field: "offer",
      });
    }
    await db.orm.update(batches).set({ offer, expiresAt }).where(one);
    await recordAudit(db, ctx, {
      action: "batch.changed",
      subject: "batch",
      subjectId: batchId,
      subjectName: batchName(before),
      before: { offer: before.offer, expiresAt: before.expiresAt },
      after: { offer, expiresAt },
    });
  });
}

/** Counted along the index of free codes; what a batch has no longer, somebody has. */
async function hasGiven(db: Db, { appId, id, size }: Batch): Promise<boolean> {
  const [free] = await db.orm
    .select({ codes: count() })
    .from(codes)
    .where(and(eq(codes.appId, appId), eq(codes.batchId, id), eq(codes.status, "available")));
  return free?.codes !== size;
}
