import { and, desc, eq, gte, not } from "drizzle-orm";
import { isUuid, type Platform } from "@/lib/contract/fields";
import type { EventView } from "@/lib/contract/provider";
import type { EventEntry } from "@/lib/contract/timeline";
import { providerEvents } from "@/lib/platform/db/schema";
import { newestByTime, newestFirst, walkPage } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import { type Page, type Paged, pageSize } from "@/lib/platform/pagination";
import { type InboxEvent, payloadText, toEventView } from "@/lib/program/confirmations/event";
import { hasLostSign } from "@/lib/program/confirmations/lost-sign";
import type { Context } from "@/lib/tenants/context";

const { id, appId, verdict, createdAt, connectionId } = providerEvents;

interface EventFilters {
  connectionId?: string;
  verdict?: InboxEvent["verdict"] | undefined;
}

/** All events of an app, newest first; of one connection or with one verdict where the filters name them. */
export function listEvents(ctx: Context, page: Page & EventFilters = {}): Promise<Paged<InboxEvent>> {
  const of = page.connectionId === undefined ? undefined : eq(connectionId, uuidOf(page.connectionId));
  return walkPage(ctx.db, providerEvents, {
    ...newestFirst(id),
    within: and(eq(appId, ctx.app.id), of),
    filter: page.verdict && eq(verdict, page.verdict),
    cursor: page.cursor,
    size: pageSize(page),
  });
}

/**
 * The unmatched events, or those with another verdict, newest first, by time like their index. `lost` limits them to
 * those with a sign of a lost referral, or to all others.
 */
export function listUnmatched(
  ctx: Context,
  page: Page & { verdict?: InboxEvent["verdict"]; lost?: boolean } = {},
): Promise<Paged<InboxEvent>> {
  const sign = hasLostSign(ctx.app.id);
  return walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(eq(appId, ctx.app.id), eq(verdict, page.verdict ?? "unmatched")),
    filter: page.lost === undefined ? undefined : page.lost ? sign : not(sign),
    cursor: page.cursor,
    size: pageSize(page),
  });
}

const uuidOf = (text: string): string => (isUuid(text) ? text : fail("NOT_FOUND", "No event has this id"));

const MAX_UNMATCHED = 20;

/** The newest unmatched events since a referee's redemption, of the same store or of one that the payload does not name. */
export async function listUnmatchedSince(
  ctx: Context,
  since: Date,
  platform: Platform | null,
): Promise<EventView[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), eq(verdict, "unmatched"), gte(createdAt, since)))
    .orderBy(desc(createdAt), desc(id))
    .limit(MAX_UNMATCHED);
  return rows
    .map(toEventView)
    .filter(({ purchase }) => [null, platform].includes(purchase.store as Platform | null));
}

const MAX_OF_REFERRAL = 50;

/** The newest events of a referral, with their payloads. */
export async function listReferralEvents(ctx: Context, referralId: string): Promise<EventEntry[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), eq(providerEvents.referralId, referralId)))
    .orderBy(desc(id))
    .limit(MAX_OF_REFERRAL);
  return rows.map((event) => ({
    kind: "event",
    at: event.createdAt,
    id: event.id,
    connectionId: event.connectionId,
    type: event.type,
    verdict: event.verdict,
    payload: payloadText(event),
    matchedBy:
      event.matchedBy?.links || event.matchedBy?.purchase || event.matchedBy?.hand ? event.matchedBy : null,
  }));
}
