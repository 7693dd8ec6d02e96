import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { BATCH_SETTINGS, BATCH_STATE_LABELS, batchName, batchUpdate } from "@/lib/contract/batch";
import { keysOf, pick } from "@/lib/contract/pick";
import { batches, codes } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { setAside, takeBack, takeExpiringBack } from "@/lib/program/line/line";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { customOffer, getBatch } from "./get-batch";

/** Also said while a redeem holds the place of a code set aside, which is not taken back then. */
const ASSIGNED = "The offer cannot be updated: a code of this batch has been or is being assigned";

/**
 * Updates the offer and the expiry of a batch. The offer only before a code is assigned: users with a code are stored under the
 * offer's name, and would get a second code under a new name. Codes that are set aside are taken back and set aside again, each
 * with its event. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT.
 */
export async function updateBatch(ctx: Context, input: z.input<typeof batchUpdate>): Promise<void> {
  const { batchId, offer: given = null, expiresAt = null } = parseInput(batchUpdate, input);
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const byId = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
    await db.orm.select({ id: batches.id }).from(batches).where(byId).for("update");
    const before = await getBatch(scope, batchId);
    if (before.state === "importing" || before.state === "undone") {
      fail("CONFLICT", `The batch is ${BATCH_STATE_LABELS[before.state]} and cannot be updated`);
    }
    const offer = given ?? (before.kind === "custom" ? customOffer(batchId) : null);
    const settings = pick(before, keysOf(BATCH_SETTINGS));
    await refuseUndoing(scope, batchId, settings, { offer, expiresAt });
    const corrected = offer !== before.offer && given !== before.offer;
    if (corrected) await takeBack(db, ctx.app.id, batchId);
    const free = and(eq(codes.appId, ctx.app.id), eq(codes.batchId, batchId), eq(codes.status, "available"));
    if (corrected && (await db.orm.$count(codes, free)) !== before.size)
      fail("CONFLICT", ASSIGNED, { field: "offer" });
    // An empty batch whose codes were taken back has codes again.
    const state = corrected && before.state === "drained" ? "ready" : before.state;
    await db.orm.update(batches).set({ offer, expiresAt, state }).where(byId);
    await takeExpiringBack(scope, batchId);
    await setAside(scope, before.poolId);
    await recordAudit(db, ctx, {
      action: "batch.changed",
      subject: "batch",
      subjectId: batchId,
      subjectName: batchName(before),
      before: settings,
      after: { offer, expiresAt },
    });
  });
}
