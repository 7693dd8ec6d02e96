import { and, eq, gte } from "drizzle-orm";
import { z } from "zod";
import { isUuid, uuidField } from "@/lib/contract/fields";
import { DAY_MS, HOUR_MS } from "@/lib/contract/format";
import { type EventVerdict, REPLAYABLE, type ReplayedChunk } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/platform/db/schema";
import { newestByTime, walkPage } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import { applyAgain, loadEvent } from "@/lib/program/confirmations/apply-again";
import { eventSubject } from "@/lib/program/confirmations/event";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

interface ReplayedEvent {
  status: EventVerdict;
  referralId: string | null;
  /** False if the event had already taken effect, so that nothing changed. */
  applied: boolean;
}

/**
 * Applies an event again that changed nothing on arrival. An event takes effect once, however often this is called.
 * Throws NOT_FOUND.
 */
export async function replayConfirmation(ctx: Context, inboxId: string): Promise<ReplayedEvent> {
  if (!isUuid(inboxId)) fail("NOT_FOUND", "There is no such event");
  return ctx.db.transaction(async (db) => {
    const { event, row } = await applyAgain(db, await loadEvent(db, ctx.app.id, inboxId), true);
    const replayed = { status: row.verdict as EventVerdict, referralId: row.referral_id ?? null };
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

/** Events of one step, which takes well under a second, so that closing the page stops the replay right away. */
const STEP = 25;

const SINCE = { "1h": HOUR_MS, "1d": DAY_MS, "7d": 7 * DAY_MS, "90d": 90 * DAY_MS };

/** The form that replays many events. */
export const replayFields = z.object({
  appId: uuidField("appId"),
  connectionId: uuidField("connectionId").optional(),
  verdict: z.enum(REPLAYABLE as [EventVerdict], {
    error: "Choose events that changed nothing when they arrived",
  }),
  since: z.enum(["1h", "1d", "7d", "90d"], { error: "Choose how far back" }),
  /** The position of the previous step; empty for the first. */
  cursor: z.string().max(200).optional(),
});

type ReplayMany = Omit<z.output<typeof replayFields>, "appId">;

const { appId, id, verdict, createdAt, connectionId } = providerEvents;

/**
 * Replays the next few events with a verdict since a time, newest first, so that later arrivals are left out and it ends.
 * Callers repeat it with `next` until that is null; every event takes effect once. A purchase older than its redemption
 * needs a member's decision, so only its own replay lets it confirm. Throws VALIDATION_ERROR.
 */
export async function replayMany(ctx: Context, input: ReplayMany): Promise<ReplayedChunk> {
  const since = new Date(Date.now() - SINCE[input.since]);
  const page = await walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(eq(appId, ctx.app.id), eq(verdict, input.verdict), gte(createdAt, since)),
    filter: input.connectionId === undefined ? undefined : eq(connectionId, input.connectionId),
    cursor: input.cursor || undefined,
    size: STEP,
  });
  const outcomes: ReplayedChunk["outcomes"] = {};
  for (const event of page.data) {
    const { row } = await applyAgain(ctx.db, await loadEvent(ctx.db, ctx.app.id, event.id), false);
    const status = row.verdict as EventVerdict;
    outcomes[status] = (outcomes[status] ?? 0) + 1;
  }
  const [first] = page.data;
  if (first) {
    await recordAudit(ctx.db, ctx, {
      action: "event.replayed_many",
      subject: "event",
      subjectId: first.id,
      before: { verdict: input.verdict },
      after: outcomes,
    });
  }
  return { outcomes, next: page.nextCursor };
}
