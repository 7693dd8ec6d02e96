import { and, eq } from "drizzle-orm";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import type { EventDetail, EventView } from "@/lib/contract/provider";
import { isUuid } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** One event of the inbox with its payload. Throws NOT_FOUND. */
export async function getEvent(ctx: Context, id: string): Promise<InboxEvent> {
  return (await findEvent(ctx, id)) ?? fail("NOT_FOUND", "No event of this id");
}

/** The same, or undefined. */
export async function findEvent(ctx: Context, id: string | undefined): Promise<InboxEvent | undefined> {
  if (id === undefined || !isUuid(id)) return undefined;
  const [row] = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.id, id)));
  return row;
}

/** What was sent, as JSON on several lines; as it came where it was none. */
export function payloadText({ payload }: Pick<InboxEvent, "payload">): string {
  return typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
}

/** An event as its panel shows it, but for its payload. */
export function toEventDetail(event: InboxEvent): EventDetail {
  const { matchedBy, occurredAt, purchaseId, links, headers, failure } = event;
  return { ...toEventView(event), matchedBy, occurredAt, purchaseId, links, headers, failure };
}

/** An event as a list shows it: without its payload. */
export function toEventView(event: InboxEvent): EventView {
  const { id, connectionId, eventId, type, uids, verdict, referralId, createdAt } = event;
  return { id, connectionId, eventId, type, uids, verdict, referralId, at: createdAt };
}

/** An event as the audit log names its subject. */
export function eventSubject({ id, type }: Pick<InboxEvent, "id" | "type">) {
  return { subject: "event", subjectId: id, subjectName: type };
}
