import { and, desc, eq, gte, lt, not, or, type SQL, sql } from "drizzle-orm";
import { MOST_OFFERED } from "@/lib/contract/doctor";
import { isUuid, type Platform } from "@/lib/contract/fields";
import type { EventView } from "@/lib/contract/provider";
import type { EventEntry } from "@/lib/contract/timeline";
import { providerEvents } from "@/lib/platform/db/schema";
import { newestByTime, newestFirst, walkPage } from "@/lib/platform/db/walk";
import { fail } from "@/lib/platform/errors";
import { type Page, type Paged, pageSize } from "@/lib/platform/pagination";
import { type InboxEvent, payloadText, toEventView } from "@/lib/program/confirmations/event";
import { hasLostSign, isUnnamed } from "@/lib/program/confirmations/lost-sign";
import { PAYLOAD_STORES } from "@/lib/program/confirmations/purchase";
import type { Context } from "@/lib/tenants/context";

const { id, appId, verdict, createdAt, connectionId } = providerEvents;

interface EventFilters {
  connectionId?: string;
  verdict?: InboxEvent["verdict"] | undefined;
}

/** All events of an app, newest first; if the filters say so, of one connection or with one verdict. */
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

/** Events that a page examines for signs of a lost referral: 10,000 with linked ids would exceed the statement timeout. */
const SIGNS_READ = 2_500;

/**
 * The unmatched events, or those with another verdict, newest first, by time like their index. `lost` limits them to
 * those with a sign of a lost referral, or to all others, `before` to those that arrived before a time.
 */
export function listUnmatched(
  ctx: Context,
  page: Page & { verdict?: InboxEvent["verdict"]; lost?: boolean; before?: SQL } = {},
): Promise<Paged<InboxEvent>> {
  const sign = hasLostSign(ctx.app.id);
  return walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(
      eq(appId, ctx.app.id),
      eq(verdict, page.verdict ?? "unmatched"),
      page.before && lt(createdAt, page.before),
    ),
    filter: page.lost === undefined ? undefined : page.lost ? sign : not(sign),
    scan: SIGNS_READ,
    cursor: page.cursor,
    size: pageSize(page),
  });
}

const uuidOf = (text: string): string => (isUuid(text) ? text : fail("NOT_FOUND", "There is no such event"));

/**
 * The unmatched purchases that may belong to a redemption: they happened after it, and the payload names no other store.
 * Those whose buyer the provider does not name come first, then the nearest to the redemption.
 */
export async function listUnmatchedSince(
  ctx: Context,
  since: Date,
  platform: Platform,
): Promise<EventView[]> {
  const { confirmation, occurredAt } = providerEvents;
  const other = platform === "ios" ? "android" : "ios";
  const offered = async (buyer: SQL, size: number) => {
    const { data } = await walkPage(ctx.db, providerEvents, {
      ...newestByTime(createdAt, id),
      order: "asc",
      within: and(eq(appId, ctx.app.id), eq(verdict, "unmatched"), gte(createdAt, since)),
      filter: and(
        sql`${confirmation} ->> 'kind' = 'confirm'`,
        sql`coalesce(${occurredAt}, ${createdAt}) >= ${since}`,
        // In this order: the store is searched for in whole payloads, which takes seconds for all events.
        sql`case when ${buyer} then ${or(namesStore(platform), not(namesStore(other)))} else false end`,
      ),
      size,
    });
    return data.map(toEventView).filter(({ purchase: { store } }) => store !== other);
  };
  const isUnknown = isUnnamed(ctx.app.id);
  const unknown = await offered(isUnknown, MOST_OFFERED);
  const left = MOST_OFFERED - unknown.length;
  if (left === 0) return unknown;
  const known = await offered(not(isUnknown), left);
  return [...unknown, ...known.map((event) => ({ ...event, anonymous: false }))];
}

/** Whether a payload names a store, or is Apple's own, which names none. */
function namesStore(platform: Platform): SQL {
  const { payload } = providerEvents;
  const path = (field: string) => sql.raw(`'$.**{0 to 3}.${field} ? (@.type() == "string")'`);
  const pattern = PAYLOAD_STORES.find(([store]) => store === platform)?.[1].source ?? "";
  // The texts are in JSON arrays, so that quotes surround each.
  const named = sql`concat(jsonb_path_query_array(${payload}, ${path("store")}),
    jsonb_path_query_array(${payload}, ${path("platform")})) ~* ${pattern.replace(/[\^$]/g, '"')}`;
  return platform === "ios" ? sql`(${named} or ${payload} @? ${path("bundleId")})` : named;
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
