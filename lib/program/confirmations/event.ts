import { and, eq } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { EventDetail, EventVerdict, EventView } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { isAnonymous } from "@/lib/program/confirmations/diagnose";
import { purchaseOf } from "@/lib/program/confirmations/purchase";
import type { Context } from "@/lib/tenants/context";

/** A row of the inbox. */
export type InboxEvent = typeof providerEvents.$inferSelect;

/** The result of the SQL functions that apply an event. */
export interface AppliedEvent {
  verdict: EventVerdict | "duplicate" | "not_found" | "misfit";
  referral_id?: string | null;
}

/** An event of the inbox with its payload. Throws NOT_FOUND. */
export async function getEvent(ctx: Context, id: string): Promise<InboxEvent> {
  return (await findEvent(ctx, id)) ?? fail("NOT_FOUND", "There is no such event");
}

/** An event of the inbox with its payload, or undefined. */
export async function findEvent(ctx: Context, id: string | undefined): Promise<InboxEvent | undefined> {
  if (id === undefined || !isUuid(id)) return undefined;
  const [row] = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.id, id)));
  return row;
}

/** The payload as indented JSON, or as it arrived where it is not JSON. */
export function payloadText({ payload }: Pick<InboxEvent, "payload">): string {
  return typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
}

/** An event as its panel shows it, without its payload. */
export function toEventDetail(event: InboxEvent): EventDetail {
  const { matchedBy, purchaseId, links, headers, failure } = event;
  return { ...toEventView(event), matchedBy, purchaseId, links, headers, failure };
}

/** An event as a list shows it, without its payload. */
export function toEventView(event: InboxEvent): EventView {
  const { id, connectionId, eventId, type, uids, verdict, referralId, createdAt: at, occurredAt } = event;
  const { kind, renewal, paid } = event.confirmation;
  const held = renewal ? ("renewal" as const) : paid === false ? ("unpaid" as const) : undefined;
  const purchase = { ...purchaseOf(event.payload), ...(kind === "confirm" && { held }) };
  const anonymous = isAnonymous(event);
  return { id, connectionId, eventId, type, uids, verdict, referralId, at, occurredAt, purchase, anonymous };
}

/** An event as the audit log names its subject. */
export function eventSubject({ id, type }: Pick<InboxEvent, "id" | "type">) {
  return { subject: "event", subjectId: id, subjectName: type };
}
