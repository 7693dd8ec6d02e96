import { and, eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import { eventSubject } from "@/lib/confirmations/event";
import type { Verdict } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** Takes an unmatched event that belongs to nobody out of the inbox. Throws NOT_FOUND. */
export function dismissConfirmation(ctx: Context, inboxId: string): Promise<void> {
  return move(ctx, inboxId, "unmatched", "dismissed", "event.dismissed");
}

/** Puts a dismissed event back into the inbox. Throws NOT_FOUND. */
export function restoreConfirmation(ctx: Context, inboxId: string): Promise<void> {
  return move(ctx, inboxId, "dismissed", "unmatched", "event.returned");
}

async function move(ctx: Context, id: string, from: Verdict, to: Verdict, action: string): Promise<void> {
  if (!isUuid(id)) fail("NOT_FOUND", "No event of this id");
  const { appId, id: eventId, verdict, type } = providerEvents;
  await ctx.db.transaction(async (db) => {
    const [event] = await db.orm
      .update(providerEvents)
      .set({ verdict: to })
      .where(and(eq(appId, ctx.app.id), eq(eventId, id), eq(verdict, from)))
      .returning({ id: eventId, type });
    if (!event) return fail("NOT_FOUND", `No ${from} event of this id`);
    await recordAudit(db, ctx, { action, ...eventSubject(event) });
  });
}
