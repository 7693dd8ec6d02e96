import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { BATCH_SETTINGS, BATCH_STATE_LABELS, batchUpdate, EXPIRES_IN_PAST } from "@/lib/contract/batch";
import { keysOf, pick } from "@/lib/contract/pick";
import { databaseNow } from "@/lib/platform/db/chunks";
import { batches } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { setAside, takeExpiringBack } from "@/lib/program/line/line";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { hasCodesInUse, storeTakers } from "./assigned-codes";
import { batchSubject, customOffer, getBatch } from "./get-batch";

/** A quarantine takes back the codes that are set aside, and their referees stay in line. */
const IN_USE =
  "The offer cannot be updated: codes of this batch are assigned or set aside. If they are only set aside for people in line, quarantine the batch, update the offer and restore the batch";

/**
 * Updates the offer and the expiry of a batch. The offer only while no code is assigned or set aside: users with a code are
 * stored under the offer's name, and would get a second code under a new name. Throws NOT_FOUND, VALIDATION_ERROR,
 * CONFLICT.
 */
export async function updateBatch(ctx: Context, input: z.input<typeof batchUpdate>): Promise<void> {
  const { batchId, offer: given = null, expiresAt = null } = parseInput(batchUpdate, input);
  const renamed = await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const byId = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
    await db.orm.select({ id: batches.id }).from(batches).where(byId).for("update");
    const before = await getBatch(scope, batchId);
    if (before.state === "importing" || before.state === "undone") {
      fail("CONFLICT", `The batch is ${BATCH_STATE_LABELS[before.state]} and cannot be updated`);
    }
    const offer = given ?? (before.kind === "custom" ? customOffer(batchId) : null);
    const settings = pick(before, keysOf(BATCH_SETTINGS));
    if (
      expiresAt &&
      Number(expiresAt) <= databaseNow() &&
      expiresAt.getTime() !== before.expiresAt?.getTime()
    )
      fail("VALIDATION_ERROR", EXPIRES_IN_PAST, { field: "expiresAt" });
    await refuseUndoing(scope, batchId, settings, { offer, expiresAt });
    if (offer !== before.offer && given !== before.offer && (await hasCodesInUse(scope, before))) {
      fail("CONFLICT", IN_USE, { field: "offer" });
    }
    await db.orm.update(batches).set({ offer, expiresAt }).where(byId);
    await takeExpiringBack(scope, batchId);
    await setAside(scope, before.poolId);
    await recordAudit(db, ctx, {
      action: "batch.changed",
      ...batchSubject(before),
      before: settings,
      after: { offer, expiresAt },
    });
    return offer !== before.offer;
  });
  if (renamed) await storeTakers(ctx, batchId);
}
