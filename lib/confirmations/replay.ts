import { and, eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import { eventSubject } from "@/lib/confirmations/event";
import { reread } from "@/lib/confirmations/reread";
import type { Verdict, VerdictRow } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import type { Db } from "@/lib/db/client";
import { providerConnections, providerEvents } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

export interface Replayed {
  status: Verdict;
  referralId: string | null;
  /** False where the event was done already, and nothing happened. */
  applied: boolean;
}

interface ReplayRow extends VerdictRow {
  done?: true;
  before?: Verdict;
}

/**
 * Applies an event again that did nothing when it came, after what stood in its way was mended. However often it is
 * called, an event has its effect once. Throws NOT_FOUND.
 */
export async function replayConfirmation(ctx: Context, inboxId: string): Promise<Replayed> {
  if (!isUuid(inboxId)) fail("NOT_FOUND", "No event of this id");
  return ctx.db.transaction(async (db) => {
    const { event, row } = await judgeAgain(db, ctx.app.id, inboxId, true);
    const replayed = { status: row.verdict as Verdict, referralId: row.referral_id ?? null };
    if (row.done) return { ...replayed, applied: false };
    await recordAudit(db, ctx, {
      action: "event.replayed",
      ...eventSubject(event),
      before: { verdict: row.before },
      after: { verdict: row.verdict, referralId: replayed.referralId },
    });
    return { ...replayed, applied: true };
  });
}

/** Reads an event anew and judges it; by hand also where a purchase is much older than its redemption. */
export async function judgeAgain(db: Db, appId: string, id: string, byHand: boolean) {
  const { event, connection } = await load(db, appId, id);
  const values = [appId, id, JSON.stringify(reread(event, connection)), byHand];
  const row = await db.call<ReplayRow>("replay_confirmation", values);
  if (row.verdict === "not_found") fail("NOT_FOUND", "No event of this id");
  return { event, row };
}

async function load(db: Db, appId: string, id: string) {
  const ofEvent = and(
    eq(providerConnections.appId, providerEvents.appId),
    eq(providerConnections.id, providerEvents.connectionId),
  );
  const { provider, ownNames } = providerConnections;
  const [row] = await db.orm
    .select({ event: providerEvents, connection: { provider, ownNames } })
    .from(providerEvents)
    .leftJoin(providerConnections, ofEvent)
    .where(and(eq(providerEvents.appId, appId), eq(providerEvents.id, id)));
  return row ?? fail("NOT_FOUND", "No event of this id");
}
