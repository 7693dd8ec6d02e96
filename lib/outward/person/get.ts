import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { AUDIT_SHOWN } from "@/lib/contract/audit";
import { ERASED_REDEMPTION, type PersonPlace, type PersonView, type UndoneStep } from "@/lib/contract/person";
import { unfetchedCodes } from "@/lib/outward/overview/activity";
import { listRequestsOf } from "@/lib/outward/person/requests";
import { requestTotals } from "@/lib/outward/request-log/list";
import { listDeliveriesAbout } from "@/lib/outward/webhooks/deliveries-about";
import { sqlFunction } from "@/lib/platform/db/calls";
import {
  campaignPlatforms,
  campaigns,
  endUserNotes,
  providerEvents,
  refereesInLine,
  referrals,
  referrers,
  undoneSteps,
} from "@/lib/platform/db/schema";
import type { Paged } from "@/lib/platform/pagination";
import { openCampaigns, successorsOf } from "@/lib/program/campaigns/lifecycle";
import { replacedCodes } from "@/lib/program/codes/assigned-codes";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { toEventView } from "@/lib/program/confirmations/event";
import { listConnections } from "@/lib/program/connections/connection";
import { aliasesOf } from "@/lib/program/end-users/find-by-trace";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { referralRows } from "@/lib/program/referrals/rows";
import { hadRedeemed } from "@/lib/program/referrals/sandbox-metacodes";
import { confirmedCounts, referrerLabel } from "@/lib/program/referrers/record";
import { listRewards } from "@/lib/program/rewards/list";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import type { Context } from "@/lib/tenants/context";

/** Rows of each list. */
const SHOWN = 50;

/**
 * Everything that an app knows about an end user, by the uid and by the ids linked to it: as a referrer, as a referee,
 * in requests and in the providers' events. Contains the network addresses of the audit log only `forAdmin`.
 */
export async function getPerson(ctx: Context, uid: string, forAdmin = false): Promise<PersonView> {
  const ids = [uid, ...(await aliasesOf(ctx, uid))];
  const pseudonyms = ids.flatMap((id) => pseudonymIn(ctx.app.id, id) ?? []);
  const [own, referees, places, undone, requests, notes, erased, { unlisted }] = await Promise.all([
    referrersOf(ctx, ids),
    refereesOf(ctx, ids),
    placesOf(ctx, ids),
    undoneOf(ctx, ids),
    listRequestsOf(ctx, ids),
    notesOf(ctx, ids),
    refereesOf(ctx, pseudonyms),
    requestTotals(ctx),
  ]);
  const ownIds = own.map(({ id }) => id);
  const refereeIds = referees.map(({ id }) => id);
  const redeemed = [...referees, ...undone.map((step) => ({ ...step, createdAt: step.happenedAt }))];
  const [rewards, rows, events, unfetched] = await Promise.all([
    rewardsOf(ctx, ownIds),
    referralRows(ctx, referees),
    eventsOf(ctx, ids, refereeIds),
    unfetchedCodes(ctx, ids, { places, redeemed }),
  ]);
  const subjects = [
    ...refereeIds,
    ...undone.map(({ referralId }) => referralId),
    ...rewards.data.map(({ id }) => id),
    ...ownIds,
  ];
  const campaignIds = [...places, ...undone].map(({ campaignId }) => campaignId);
  const [deliveries, replaced, audit, open, successor, counts] = await Promise.all([
    listDeliveriesAbout(ctx, subjects, ids),
    replacedCodes(ctx, subjects),
    auditOfSubject(ctx, ...subjects, ...ids, ...events.map(({ id }) => id)),
    openCampaigns(ctx, campaignIds),
    successorsOf(ctx, campaignIds),
    confirmedCounts(ctx, ownIds),
  ]);
  return {
    erased: erased[0] && !rows[0] && !undone[0] && requests.some(hadRedeemed) ? ERASED_REDEMPTION : null,
    ...{ uid, notes, replaced, requests, events, rewards: rewards.data, deliveries: deliveries.data },
    aliases: ids.slice(1),
    audit: forAdmin ? audit.data : audit.data.map((line) => ({ ...line, address: undefined })),
    partial: partialOf({ referees, undone, rewards, requests, events, deliveries, audit }, unlisted > 0),
    places: [
      ...places.map((place) => asMoved(place, successor(place), [...referees, ...places])),
      ...unfetched,
    ],
    referrals: rows,
    referrers: own.map((row) => {
      const { confirmed = 0, held = 0 } = counts.get(row.id) ?? {};
      return { ...referrerLabel(row), uid: row.uid, status: row.status, notes: row.notes, confirmed, held };
    }),
    undone: undone.map(({ id, step, platform, happenedAt, createdAt, campaignId }): UndoneStep => {
      const next = successor({ campaignId, platform });
      const again =
        referees.some((row) => row.campaignId === campaignId || row.campaignId === next) ||
        places.some((row) => row.campaignId === (next ?? campaignId) && /review|dismissed/.test(row.state));
      const when = next ? "now" : (open.get(campaignId) ?? "closed");
      const mayRedeem = step === "code_assigned" && !again ? when : "no";
      return { id, step, platform, at: happenedAt, undoneAt: createdAt, mayRedeem };
    }),
  };
}

/** Says which part of each list is shown. Lists that are looked up by rows of others cover only those listed. */
function partialOf(
  lists: {
    [list in "referees" | "undone" | "requests" | "events"]: readonly unknown[];
  } & { [list in "rewards" | "deliveries" | "audit"]: Paged<unknown> },
  unlisted: boolean,
): PersonView["partial"] {
  const newest = (rows: readonly unknown[]) => (rows.length < SHOWN ? undefined : `the newest ${SHOWN}`);
  const { referees, undone, requests, events, rewards, deliveries, audit } = lists;
  const joined = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(", ") || undefined;
  const ofRewards = rewards.nextCursor === null ? undefined : "the newest 50 of each metacode";
  const listed = (isCut: string | undefined) => isCut && "for the rows listed here";
  const ofListed = listed(newest(referees) ?? newest(undone) ?? ofRewards);
  const among = ({ data, nextCursor }: Paged<unknown>, size: number, rows: string, of = ofListed) => {
    const part = data.length < size ? `among the newest 10,000 ${rows}` : `the newest ${size}`;
    return joined(nextCursor !== null && part, of);
  };
  const logged = unlisted && "among the requests in the log, which omits some in busy seconds";
  return {
    ...{ referrals: newest(referees), undone: newest(undone), rewards: ofRewards, replaced: ofListed },
    requests: joined(newest(requests) && "the newest 50 and the newest 50 refused", logged),
    events: newest(events),
    deliveries: among(deliveries, SHOWN, "deliveries of the app"),
    audit: among(audit, AUDIT_SHOWN, "entries of the workspace", ofListed ?? listed(newest(events))),
  };
}

/** Marks a place of a paused campaign whose metacode leads to another campaign, in which the person has nothing yet. */
function asMoved(place: PersonPlace, next: string | undefined, had: { campaignId: string }[]): PersonPlace {
  const isOpen = next && !had.some(({ campaignId }) => campaignId === next);
  return isOpen && place.closed === "campaign_paused" ? { ...place, closed: "campaign_replaced" } : place;
}

/** Whether a page about the person would be empty. */
export function isUnknown(person: PersonView): boolean {
  const { referrers: own, referrals: invited, notes, places, undone, requests, events, audit } = person;
  return [own, invited, notes, places, undone, requests, events, audit].every(({ length }) => length === 0);
}

async function referrersOf(ctx: Context, ids: string[]) {
  const found = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.uid, ids)));
  // The person's own id comes before an alias.
  return ids.flatMap((id) => found.find(({ uid }) => uid === id) ?? []);
}

const WAIT_REASON = sqlFunction("wait_reason", {
  ...{ app: "uuid", pool: "uuid?", platform: "text", uid: "text", margin: "interval" },
}).returns<string | null>();

/** Places in line that have neither ended nor been assigned a code, and approvals, which last as long as a place. */
async function placesOf(ctx: Context, ids: string[]): Promise<PersonPlace[]> {
  const { appId, refereeUid, campaignId, platform, createdAt, reservedUntil, referrerId } = refereesInLine;
  const state = sql<PersonPlace["state"]>`${refereesInLine.state}`;
  const closed = sql<PersonPlace["closed"]>`case
    when ${referrers.status} <> 'active' then 'referrer_' || ${referrers.status} when ${campaigns.status} = 'paused' then 'campaign_paused'
    when ${campaigns.startsAt} > now() then 'campaign_scheduled'
    when ${campaignPlatforms.platform} is null then 'platform_left'
    when ${reservedUntil} is null and ${campaigns.spentCodes} >= ${campaigns.codeBudget} then 'budget_spent' end`;
  const end = sql`${createdAt} + interval '30 days'`;
  const until = sql`case ${state} when 'approved' then ${end} else ${reservedUntil} end`;
  const { appId: app, campaignId: campaign, platform: on, refereePoolId } = campaignPlatforms;
  const rows = await ctx.db.orm
    .select({
      ...{ campaignId, platform, at: createdAt, reservedUntil: until.mapWith(reservedUntil), state, closed },
      ...{ uid: refereeUid, pool: refereePoolId, margin: campaigns.safetyMarginHours },
    })
    .from(refereesInLine)
    .innerJoin(campaigns, and(eq(campaigns.appId, appId), eq(campaigns.id, campaignId)))
    .leftJoin(referrers, and(eq(referrers.appId, appId), eq(referrers.id, referrerId)))
    .leftJoin(campaignPlatforms, and(eq(app, appId), eq(campaign, campaignId), eq(on, platform)))
    .where(
      and(
        ...[eq(appId, ctx.app.id), inArray(refereeUid, ids)],
        sql`coalesce(${reservedUntil}, ${end}) > now() and coalesce(${campaigns.endsAt} > now(), true)`,
        sql`not exists (
          select 1 from ${referrals} f
           where f.app_id = ${appId} and f.campaign_id = ${campaignId} and f.referee_uid = ${refereeUid})`,
      ),
    )
    .orderBy(desc(createdAt));
  const places = rows.map(async ({ pool, margin, ...place }): Promise<PersonPlace> => {
    if (place.state !== "waiting" || place.reservedUntil || place.closed) return place;
    const of = { app: ctx.app.id, pool, platform: place.platform, uid: place.uid, margin: `${margin} hours` };
    const reason = await ctx.db.call(WAIT_REASON, of);
    return reason === "same_offer" ? { ...place, closed: reason } : place;
  });
  return Promise.all(places);
}

function refereesOf(ctx: Context, ids: string[]) {
  return ctx.db.orm
    .select()
    .from(referrals)
    .where(and(eq(referrals.appId, ctx.app.id), inArray(referrals.refereeUid, ids)))
    .orderBy(desc(referrals.createdAt))
    .limit(SHOWN);
}

async function rewardsOf(ctx: Context, referrerIds: string[]) {
  const pages = await Promise.all(referrerIds.map((id) => listRewards(ctx, id)));
  const data = pages
    .flatMap((page) => page.data)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return { data, nextCursor: pages.find(({ nextCursor }) => nextCursor)?.nextCursor ?? null };
}

function notesOf(ctx: Context, ids: string[]) {
  const { appId, uid, notes } = endUserNotes;
  return ctx.db.orm
    .select({ uid, notes })
    .from(endUserNotes)
    .where(and(eq(appId, ctx.app.id), inArray(uid, ids)));
}

function undoneOf(ctx: Context, ids: string[]) {
  return ctx.db.orm
    .select()
    .from(undoneSteps)
    .where(and(eq(undoneSteps.appId, ctx.app.id), inArray(undoneSteps.refereeUid, ids)))
    .orderBy(desc(undoneSteps.createdAt))
    .limit(SHOWN);
}

/** Events that named the person, and those that a member linked, along the indexes over ids and referrals. */
async function eventsOf(ctx: Context, ids: string[], referralIds: string[]): Promise<PersonView["events"]> {
  const { appId, uids, referralId, createdAt } = providerEvents;
  const theirs = or(sql`${uids} && ${sql.param(ids)}::text[]`, inArray(referralId, referralIds));
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), theirs))
    .orderBy(desc(createdAt))
    .limit(SHOWN);
  const [diagnoses, connections] = await Promise.all([diagnoseEvents(ctx, rows), listConnections(ctx)]);
  const known = new Set(connections.map(({ id }) => id));
  return rows.map((event) => ({
    ...toEventView(event),
    // Unmatched events are linked in the inbox, which also opens those of deleted connections and simulations.
    path: `/providers/${event.verdict !== "unmatched" && known.has(event.connectionId) ? event.connectionId : "unmatched"}?event=${event.id}`,
    sandbox: event.confirmation.sandbox === true,
    diagnosis: diagnoses[event.id] ?? null,
  }));
}
