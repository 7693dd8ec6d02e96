import { and, eq, type SQL, sql } from "drizzle-orm";
import type { EventVerdict } from "@/lib/contract/provider";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { isOutage, mayRunAgain } from "@/lib/platform/db/outage";
import { providerConnections, providerEvents } from "@/lib/platform/db/schema";
import { AppError, fail } from "@/lib/platform/errors";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import { COMMIT_S, markRounds } from "@/lib/platform/jobs/rounds";
import { log } from "@/lib/platform/log";
import type { AppliedEvent, InboxEvent } from "@/lib/program/confirmations/event";
import { readingOf } from "@/lib/program/confirmations/inbox-row";
import type { OwnNames } from "@/lib/program/providers/common/adapter";
import { isProvider, PROVIDERS } from "@/lib/program/providers/registry";
import type { Context } from "@/lib/tenants/context";

interface ReplayedRow extends AppliedEvent {
  done?: true;
  before?: EventVerdict;
}

const REPLAY_CONFIRMATION = sqlFunction("replay_confirmation", {
  app: "uuid",
  id: "uuid",
  reading: jsonb<Record<string, unknown>>(),
  by_hand: "boolean",
}).returns<ReplayedRow>();

const DUE_EVENTS = sqlFunction("due_events", { app: "uuid" }).returns<string[]>();

/** Events of existing apps that have failed three times or more. Their providers got a 200 and do not send them again. */
export const FAILING_EVENTS: DueRows = {
  name: "failing provider events",
  select: (app) => sql`
    select e.app_id, e.created_at as at from provider_events e join apps a on a.id = e.app_id and a.deleted_at is null
     where e.verdict = 'failed' and e.tries > 2 ${app ? sql`and e.app_id = ${app}` : sql``}
     order by e.created_at`,
};

/**
 * Ids of the apps with failed events whose pause is over or young unmatched ones, along provider_events_open, and of
 * those with a redemption since the round's last run, along outbox_created.
 */
export const appsWithOpenEvents = (seenAt: string | null): SQL => sql`
  select app_id from provider_events
   where verdict in ('failed', 'received')
     and coalesce(judged_at, created_at) < now() - least(interval '1 minute' * power(2, least(tries - 1, 6)), interval '1 hour')
   union
  select app_id from provider_events
   where verdict = 'unmatched' and created_at > now() - 2 * redemption_grace()
   union
  select app_id from outbox
   where type = 'referral.code_assigned' and created_at > greatest(
     now() - 2 * redemption_grace(),
     least(now() - interval '1 minute', coalesce(${seenAt}::timestamptz, '-infinity') - make_interval(secs => ${COMMIT_S})))`;

/**
 * Applies failed events again, and purchases whose buyer redeemed within the hour after them. The busy redeem path
 * leaves that work to this round. Any number of processes may run it.
 */
export async function applyDueEvents({ app, db }: Context): Promise<void> {
  const ids = await db.call(DUE_EVENTS, { app: app.id });
  const delayed: unknown[] = [];
  const held = new Set<string>();
  for (const id of ids) {
    const stored = await loadEvent(db, app.id, id);
    if (!stored || stored.event.uids.some((uid) => held.has(uid))) continue;
    try {
      const { row } = await applyAgain(db, stored, false);
      // The round that follows changes looks for unmatched events by their arrival.
      const isNew = row.verdict === "unmatched" && row.before !== "unmatched";
      if (isNew) await markRounds(db, "checks", sql`select ${app.id}::uuid as app_id, now() as at`);
    } catch (error) {
      // The cause may lie in this person, such as a lock, and must not hold others back; that of five does not.
      if (isOutage(error) && (!mayRunAgain(error) || delayed.push(error) === 5)) throw error;
      if (isOutage(error)) for (const uid of stored.event.uids) held.add(uid);
      log().warn({ err: error, app: app.id, event: id }, "an event of the inbox could not be applied again");
    }
  }
  if (delayed.length > 0) throw delayed[0];
}

/** Reads an event again and applies it; by hand, a purchase may be much older than its redemption. */
export async function applyAgain(db: Db, stored: Awaited<ReturnType<typeof loadEvent>>, byHand: boolean) {
  const { event, connection } = stored ?? fail("NOT_FOUND", "There is no such event");
  const reading = reread(event, connection);
  const { appId: app, id } = event;
  const row = await db.call(REPLAY_CONFIRMATION, { app, id, reading, by_hand: byHand });
  if (row.verdict === "not_found") fail("NOT_FOUND", "There is no such event");
  return { event, row };
}

/** An event with the settings of its connection by which it is read, or undefined. */
export async function loadEvent(db: Db, appId: string, id: string) {
  const ofEvent = and(
    eq(providerConnections.appId, providerEvents.appId),
    eq(providerConnections.id, providerEvents.connectionId),
  );
  const { provider, ownNames, webPurchases } = providerConnections;
  const [row] = await db.orm
    .select({ event: providerEvents, connection: { provider, ownNames, webPurchases } })
    .from(providerEvents)
    .leftJoin(providerConnections, ofEvent)
    .where(and(eq(providerEvents.appId, appId), eq(providerEvents.id, id)));
  return row;
}

/**
 * The current adapter's reading of a stored event, as columns of its row. Empty, so that the first reading stays,
 * if the payload was cut, the provider is no longer supported, or the payload holds no event.
 */
function reread(
  { payload, headers }: InboxEvent,
  connection: { provider: string; ownNames: OwnNames | null; webPurchases: boolean } | null,
): Record<string, unknown> {
  if (!connection || !isProvider(connection.provider) || isCut(payload)) return {};
  const { provider, ...own } = connection;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const delivery = { headers: new Headers(headers), rawBody: new TextEncoder().encode(text), ...own };
  try {
    return readingOf(PROVIDERS[provider].adapter.read(delivery));
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}

/** Payloads are cut to an empty object once they are older than the app's retention. */
const isCut = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && Object.keys(payload).length === 0;
