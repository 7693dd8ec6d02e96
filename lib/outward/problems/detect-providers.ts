import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import { DAY_MS, formatCount, formatDate, HOUR_MS } from "@/lib/contract/format";
import { type Problem, problemKey } from "@/lib/outward/problems/problem";
import { findRefusedBody } from "@/lib/outward/request-log/list";
import { providerEvents } from "@/lib/platform/db/schema";
import type { Campaign } from "@/lib/program/campaigns/read";
import { hasLostSign, isInLine, mayTurnReferral } from "@/lib/program/confirmations/lost-sign";
import {
  type Connection,
  type LastEvents,
  lastEvents,
  listConnections,
  toConnectionView,
} from "@/lib/program/connections/connection";
import { EVENTS_AGE } from "@/lib/program/retention/sweep-tenant";
import type { Context } from "@/lib/tenants/context";

/** Fewest events that show a rhythm, or that a provider sends nothing readable. */
const FEWEST = 5;
/** A provider counts as silent after this many of its usual pauses, but never before three days. */
const PAUSES = 5;
const SHORTEST_MS = 3 * DAY_MS;
/** Time allowed for pasting the address into the provider's settings. */
const GRACE_MS = HOUR_MS;
/** The number of unmatched confirmations with a sign of a lost referral that is a problem within a day. */
const PILE = 10;
/** An open alert ends below half of that, so one event more or less sends no new alert. */
const SOLVED = PILE / 2;

/** Unmatched confirmations are counted up to MAX_COUNTED, among the newest MAX_READ. */
const MAX_COUNTED = 100;
const MAX_READ = 2_000;

/** Providers that send nothing or the wrong secret, or are all disabled, and confirmations that match no referral. */
export async function providerProblems(
  ctx: Context,
  open: ReadonlyMap<string, Date>,
  campaigns: readonly Campaign[],
): Promise<Problem[]> {
  const connections = (await listConnections(ctx)).filter(({ enabled }) => enabled);
  const newest = await lastEvents(ctx, connections);
  const now = Date.now();
  const ofEach = await Promise.all(
    connections.map((found) => connectionProblems(ctx, found, now, open, newest.get(found.id))),
  );
  return [
    ...ofEach.flat(),
    ...(connections.length === 0 && campaigns.some(({ status }) => status === "active")
      ? await noneEnabled(ctx, open)
      : []),
    ...(await unmatched(ctx, open, now)),
  ];
}

/** The usual pause between events at these times, newest first, and the time without one that counts as silence. */
export function rhythmOf(times: number[]): { pauseMs: number; silentMs: number } | undefined {
  const [newest, oldest] = [times[0], times.at(-1)];
  if (newest === undefined || oldest === undefined || times.length < FEWEST) return undefined;
  const pauseMs = (newest - oldest) / (times.length - 1);
  return { pauseMs, silentMs: Math.max(SHORTEST_MS, PAUSES * pauseMs) };
}

/** Whether the time since the newest event exceeds the rhythm of events at these times, newest first. */
export function isSilent(times: number[], now: number): boolean {
  const rhythm = rhythmOf(times);
  return rhythm !== undefined && now - (times[0] ?? now) > rhythm.silentMs;
}

/** A new app has had no event yet, and a sandbox needs none. The alert outlives the events, which retention deletes. */
async function noneEnabled({ app, db }: Context, open: ReadonlyMap<string, Date>): Promise<Problem[]> {
  const common = { kind: "provider_silent", subject: "none enabled" } as const;
  if (app.sandbox) return [];
  if (!open.has(problemKey(common))) {
    const { appId, id } = providerEvents;
    const [any] = await db.orm.select({ id }).from(providerEvents).where(eq(appId, app.id)).limit(1);
    if (!any) return [];
  }
  return [
    {
      ...common,
      severity: "critical",
      title: "No provider connection is enabled",
      detail:
        "Enable one, or connect a provider: without its events no referral is confirmed and no reward is earned.",
      ...{ path: "/providers", action: "Open providers", needs: "admin" },
    },
  ];
}

const NO_SECRET = {
  detail: "Enter its secret: until then its events are refused, so no referral is confirmed.",
  action: "Enter the secret",
  needs: "admin",
} as const;
/** Apple's events have no secret, but name their app. */
const WRONG_SECRET = {
  detail: "Check the secret: events arrive with a wrong secret or none, so no referral is confirmed.",
  action: "Check the secret",
  needs: "admin",
} as const;
const OTHER_APP = {
  detail:
    "Compare the bundle ID and the Apple app ID in the settings with those in App Store Connect: events name another app, so no referral is confirmed.",
  ...({ path: "/settings", action: "Compare the IDs", needs: "admin" } as const),
};

const SILENT_FOR = `sent no event for ${EVENTS_AGE / DAY_MS} days`;

/** The advice on the newest refusal: about the secret or the app's IDs, unless the body was at fault. */
async function adviceOnRefusal(ctx: Context, { id, hasSecret, waiting }: Connection) {
  if (waiting) return NO_SECRET;
  const help = await findRefusedBody(ctx, id);
  if (!help) return hasSecret ? WRONG_SECRET : OTHER_APP;
  return { detail: `${help.why} It confirms no referral. ${help.todo}`, action: "Open the connection" };
}

async function connectionProblems(
  ctx: Context,
  connection: Connection,
  now: number,
  open: ReadonlyMap<string, Date>,
  { times, verdicts }: LastEvents = { times: [], verdicts: [] },
): Promise<Problem[]> {
  const { id, refusedAt, createdAt } = connection;
  const { label } = toConnectionView(connection);
  const common = { subject: id, path: `/providers/${id}` };
  const refused = { ...common, kind: "provider_refused", severity: "critical" } as const;
  const [newest] = times;
  if (connection.unreadable) {
    return [
      {
        ...refused,
        title: `The secret of ${label} cannot be read`,
        detail:
          "Enter its secrets again: the key that sealed them is missing, so its events are refused and no referral is confirmed.",
        action: "Open the connection",
      },
    ];
  }
  // A refusal older than EVENTS_AGE proves nothing: events accepted after it may have been deleted.
  if (refusedAt && refusedAt.getTime() > Math.max(newest ?? 0, now - EVENTS_AGE)) {
    return [
      { ...refused, title: `Events from ${label} are refused`, ...(await adviceOnRefusal(ctx, connection)) },
    ];
  }
  const ofUnreadable = {
    ...refused,
    subject: `${id} unreadable`,
    title: `Events from ${label} cannot be read`,
    detail:
      "Open one to see what is missing, then fix what sends them: the newest are refused, and no referral is confirmed.",
    path: "/providers/unmatched?show=unreadable",
    action: "Open unreadable events",
  } as const;
  const unreadable = verdicts.slice(0, FEWEST).filter((verdict) => verdict === "unreadable").length;
  const most = open.has(problemKey(ofUnreadable)) ? FEWEST / 2 : FEWEST;
  if (unreadable >= most && !isSilent(times, now)) return [ofUnreadable];
  const lost = newest === undefined && now - createdAt.getTime() > EVENTS_AGE;
  // The last events of a silent provider, and with them its rhythm, are deleted eventually.
  const stillSilent =
    open.has(problemKey({ kind: "provider_silent", subject: id })) &&
    times.length < FEWEST &&
    (lost || (newest !== undefined && now - newest > SHORTEST_MS));
  if (newest === undefined && !stillSilent) {
    if (now - createdAt.getTime() <= GRACE_MS) return [];
    return [
      {
        ...common,
        kind: "provider_never",
        severity: "hint",
        title: `${label} has ${lost ? SILENT_FOR : "not sent an event yet"}`,
        detail: "Send a test event: without events no referral is confirmed.",
        action: "Set it up",
        needs: "admin",
        ...(connection.waiting && NO_SECRET),
      },
    ];
  }
  // The events of a sandbox are those of tests and simulated journeys: they have no rhythm.
  if (ctx.app.sandbox || (!stillSilent && !isSilent(times, now))) return [];
  return [
    {
      ...common,
      kind: "provider_silent",
      severity: "warning",
      title: `${label} has ${newest === undefined ? SILENT_FOR : `sent no event since ${formatDate(new Date(newest))}`}`,
      detail: "Check its webhook settings: without its events no referral is confirmed.",
      action: "Check the connection",
      needs: "admin",
    },
  ];
}

/** Walks provider_events_verdict. Only events with a sign of a lost referral count: most other buyers were never invited. */
async function unmatched(ctx: Context, open: ReadonlyMap<string, Date>, now: number): Promise<Problem[]> {
  const { appId, id, verdict, createdAt } = providerEvents;
  // Most apps have none, and to plan the next statement takes 10 ms. As a range, which excludes the index over all apps.
  const range = and(eq(appId, ctx.app.id), gte(verdict, "unmatched"), lte(verdict, "unmatched"));
  const [any] = await ctx.db.orm.select({ id }).from(providerEvents).where(range).orderBy(verdict).limit(1);
  if (!any) return [];
  const newest = ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), eq(verdict, "unmatched")))
    .orderBy(desc(createdAt))
    .limit(MAX_READ)
    .as("provider_events");
  const rows = await ctx.db.orm
    .select({
      at: newest.createdAt,
      inLine: sql<boolean>`${isInLine(ctx.app.id)}`,
      refund: sql<boolean>`${mayTurnReferral(ctx.app.id)}`,
    })
    .from(newest)
    .where(hasLostSign(ctx.app.id))
    .orderBy(desc(newest.createdAt))
    .limit(MAX_COUNTED + 1);
  if (!rows.length) return [];
  const common = { kind: "unmatched", subject: "unmatched", path: "/providers/unmatched" } as const;
  const today = rows.filter(({ at }) => at.getTime() > now - DAY_MS);
  const piled = today.length >= (open.has(problemKey(common)) ? SOLVED : PILE);
  const shown = piled ? today : rows;
  const advice = piled
    ? "Check the user IDs: the provider may send different IDs from those that your app sends when a friend redeems."
    : "Link or dismiss them: the provider sent user IDs to which no code was assigned.";
  return [
    {
      ...common,
      severity: piled ? "warning" : "hint",
      title: `${countOf(shown)} ${piled ? "within a day match no referral" : "without a referral"}`,
      detail: adviceOf(shown, advice),
      action: "Open the list",
    },
  ];
}

const countOf = ({ length }: unknown[]): string =>
  `${length > MAX_COUNTED ? "More than " : ""}${formatCount(Math.min(length, MAX_COUNTED), "confirmation")}`;

/** The advice on unmatched events: their buyers may be in line, or be referees whose purchase was refunded. */
function adviceOf(events: { inLine: boolean; refund: boolean }[], onOthers: string): string {
  const codes =
    "Import codes: people in line have made purchases. Replay their purchases once they have redeemed.";
  const refunds = "Open the refunds of referees: each says why it has changed no referral.";
  return [
    ...(events.some(({ inLine, refund }) => !inLine && !refund) ? [onOthers] : []),
    ...(events.some(({ refund }) => refund) ? [refunds] : []),
    ...(events.some(({ inLine }) => inLine) ? [codes] : []),
  ].join(" ");
}
