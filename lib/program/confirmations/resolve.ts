import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditAction } from "@/lib/contract/audit";
import { isUuid, nameField, uidField, uuidField } from "@/lib/contract/fields";
import type { EventVerdict } from "@/lib/contract/provider";
import { sqlFunction } from "@/lib/platform/db/calls";
import { providerEvents } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { allPages } from "@/lib/platform/pagination";
import { parseInput } from "@/lib/platform/parse-input";
import { type AppliedEvent, eventSubject, getEvent } from "@/lib/program/confirmations/event";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { purchaseOf } from "@/lib/program/confirmations/purchase";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const unlinkInput = z.object({
  eventId: uuidField("eventId"),
  /** The referral that the caller saw, because a colleague may have linked the event to another one since. */
  referralId: uuidField("referralId").optional(),
  /** Shown in the audit log. */
  reason: nameField("reason"),
});

/** Without a referral: the person's newest one that fits the event. */
export const linkInput = unlinkInput.extend({ uid: uidField("uid") });

const LINK_CONFIRMATION = sqlFunction("link_confirmation", {
  app: "uuid",
  id: "uuid",
  uid: "text",
  platform: "text?",
  referral: "uuid?",
}).returns<AppliedEvent>();

/**
 * Links an unmatched event to a person by hand and applies it as if it had named them. Returns the outcome,
 * `unmatched` if that person has no open referral. Throws NOT_FOUND, VALIDATION_ERROR, and CONFLICT where the referral does not
 * fit the event: it is of the other store, began after the event, or the purchase has confirmed another one.
 */
export async function linkConfirmation(
  ctx: Context,
  input: z.input<typeof linkInput>,
): Promise<{ status: EventVerdict; referralId: string | null }> {
  const { eventId, uid, referralId, reason } = parseInput(linkInput, input);
  return ctx.db.transaction(async (db) => {
    const event = await getEvent({ ...ctx, db }, eventId);
    const { store } = purchaseOf(event.payload);
    const platform = store === "other" ? null : store;
    const link = { app: ctx.app.id, id: eventId, uid, platform, referral: referralId ?? null };
    const row = await db.call(LINK_CONFIRMATION, link);
    if (row.verdict === "misfit") {
      fail(
        "CONFLICT",
        "This event does not fit: it is from the other store, came before the redemption or belongs to another referral, or the redemption was released",
      );
    }
    if (row.verdict === "not_found") fail("NOT_FOUND", NO_LONGER.unmatched);
    const linked = { status: row.verdict as EventVerdict, referralId: row.referral_id ?? null };
    // An event that stays unmatched has not changed.
    if (linked.referralId) {
      await recordAudit(db, ctx, {
        action: "event.linked",
        ...eventSubject(event),
        before: { verdict: "unmatched" },
        after: { verdict: linked.status, referralId: linked.referralId, reason },
      });
    }
    return linked;
  });
}

/** Why an event cannot be moved: a colleague or a delivery was faster. */
const NO_LONGER = {
  unmatched: "This event is no longer unmatched. It was linked, matched or dismissed in the meantime",
  dismissed: "This event is no longer dismissed. It was put back in the meantime",
};

const UNLINK_CONFIRMATION = sqlFunction("unlink_confirmation", { app: "uuid", id: "uuid" }).returns<
  { verdict: "OK"; referral_id: string | null } | { verdict: keyof typeof UNLINK_REFUSALS }
>();

const UNLINK_REFUSALS = {
  NOT_LINKED: "This event is not linked by a member. If it was, another member has unlinked it since",
  REVERSED: "A member reversed this referral after this event. Undo the reversal first",
  OVERTAKEN:
    "The referral has changed again since this event. Undo the later change first: unlink a later event, or reverse the referral",
};

/**
 * Takes back an event that a member linked to the wrong person: it returns to the inbox, and a referral that it confirmed
 * waits for a purchase again. Throws NOT_FOUND, CONFLICT.
 */
export async function unlinkConfirmation(ctx: Context, input: z.input<typeof unlinkInput>): Promise<void> {
  const { eventId, referralId, reason } = parseInput(unlinkInput, input);
  await ctx.db.transaction(async (db) => {
    const event = await getEvent({ ...ctx, db }, eventId);
    const row = await db.call(UNLINK_CONFIRMATION, { app: ctx.app.id, id: eventId });
    const linkedTo = row.verdict === "OK" ? row.referral_id : event.referralId;
    if (referralId && linkedTo !== referralId && row.verdict !== "NOT_LINKED")
      fail("CONFLICT", "Another member has linked this event to another referral since. Unlink it there");
    if (row.verdict !== "OK") return fail("CONFLICT", UNLINK_REFUSALS[row.verdict]);
    await recordAudit(db, ctx, {
      action: "event.unlinked",
      ...eventSubject(event),
      before: { verdict: event.verdict, referralId: row.referral_id },
      after: { verdict: "unmatched", reason },
    });
  });
}

/** Takes an unmatched event that concerns no referral out of the inbox. Throws NOT_FOUND. */
export function dismissConfirmation(ctx: Context, inboxId: string): Promise<void> {
  return move(ctx, inboxId, { from: "unmatched", to: "dismissed", action: "event.dismissed" });
}

/** Maximum events that one call dismisses. */
const MANY = 1_000;

/**
 * Dismisses the newest unmatched events without a sign of a lost referral; returns how many. Those of the last hour stay: a
 * purchase is applied if its buyer redeems within that time.
 */
export async function dismissUninvited(ctx: Context): Promise<{ dismissed: number }> {
  const { appId, id, verdict } = providerEvents;
  const chosen: string[] = [];
  const older = { lost: false, before: sql`now() - redemption_grace()`, limit: 100 };
  for await (const event of allPages((cursor) => listUnmatched(ctx, { ...older, cursor }))) {
    chosen.push(event.id);
    if (chosen.length === MANY) break;
  }
  return ctx.db.transaction(async (db) => {
    const moved = await db.orm
      .update(providerEvents)
      .set({ verdict: "dismissed" })
      .where(and(eq(appId, ctx.app.id), inArray(id, chosen), eq(verdict, "unmatched")))
      .returning({ id });
    if (moved.length > 0) {
      await recordAudit(db, ctx, {
        action: "event.dismissed_many",
        subject: "event",
        subjectId: "unmatched",
        after: { events: moved.length },
      });
    }
    return { dismissed: moved.length };
  });
}

/** Puts a dismissed event back into the inbox. Throws NOT_FOUND. */
export function restoreConfirmation(ctx: Context, inboxId: string): Promise<void> {
  return move(ctx, inboxId, { from: "dismissed", to: "unmatched", action: "event.returned" });
}

interface Move {
  from: keyof typeof NO_LONGER;
  to: EventVerdict;
  action: AuditAction;
}

async function move(ctx: Context, inboxId: string, { from, to, action }: Move): Promise<void> {
  if (!isUuid(inboxId)) fail("NOT_FOUND", "There is no such event");
  const { appId, id, verdict, type } = providerEvents;
  await ctx.db.transaction(async (db) => {
    const [event] = await db.orm
      .update(providerEvents)
      .set({ verdict: to })
      .where(and(eq(appId, ctx.app.id), eq(id, inboxId), eq(verdict, from)))
      .returning({ id, type });
    if (!event) return fail("NOT_FOUND", NO_LONGER[from]);
    await recordAudit(db, ctx, { action, ...eventSubject(event) });
  });
}
