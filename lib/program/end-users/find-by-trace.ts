import { and, asc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { maskCode } from "@/lib/contract/code-file";
import { PLATFORMS } from "@/lib/contract/format";
import { userLabel } from "@/lib/contract/influencer";
import type { EndUserMatch } from "@/lib/contract/referrer-list";
import type { RequestLine } from "@/lib/contract/request-line";
import { sqlFunction } from "@/lib/platform/db/calls";
import {
  codes,
  endUserNotes,
  identityLinks,
  providerEvents,
  refereesInLine,
  referrals,
  referrers,
  requestLog,
  requestSubjects,
  undoneSteps,
} from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

const LINKED_UIDS = sqlFunction("linked_uids", { app: "uuid", uids: "text[]" }).returns<{ uid: string }[]>();

/** The person named by a request of this id; the request itself if it names no one, such as a refused delivery. */
export async function findByRequest(ctx: Context, requestId: string): Promise<EndUserMatch[]> {
  const { appId, id, status, errorCode } = requestLog;
  const rows = await ctx.db.orm
    .select({ id, status, errorCode, uid: requestSubjects.uid })
    .from(requestLog)
    .leftJoin(requestSubjects, and(eq(requestSubjects.appId, appId), eq(requestSubjects.id, id)))
    .where(and(eq(appId, ctx.app.id), eq(id, requestId)));
  const note = "named by this request";
  return rows.map((row) => (row.uid === null ? requestMatch(row) : personMatch(row.uid, note)));
}

function requestMatch(row: Pick<RequestLine, "id" | "status" | "errorCode">): EndUserMatch {
  const { id, status, errorCode } = row;
  const note = errorCode === null ? `${status}` : `${status} ${errorCode}`;
  return { kind: "request", section: "requests", id, title: id, note };
}

/**
 * The referral or the referrer that has a code, or the person who had it until support replaced it or released the
 * redemption. A user who can type a whole code already has it, so the search reveals no code.
 */
export async function findByCode(ctx: Context, text: string): Promise<EndUserMatch[]> {
  const held = await ctx.db.orm
    .select({ code: codes, referral: referrals.id })
    .from(codes)
    .leftJoin(referrals, and(eq(referrals.appId, codes.appId), eq(referrals.id, codes.assignmentId)))
    .where(
      and(
        ...[eq(codes.appId, ctx.app.id), inArray(codes.platform, PLATFORMS)],
        inArray(codes.code, [text, text.toUpperCase()]),
        isNotNull(codes.redeemedByUid),
      ),
    )
    .limit(6);
  return held.flatMap(({ code, referral }, at): EndUserMatch[] => {
    const uid = code.redeemedByUid ?? "";
    const note = userLabel(uid);
    const match = { kind: "code", title: maskCode(code.code), note } as const;
    if (at === 5) return [{ ...match, section: "referrals", id: "", note: "more users: find by user ID" }];
    if (code.assignmentId === null) return [{ ...match, section: "people", id: uid, note: `${note}, void` }];
    const id = referral ?? code.referrerId;
    return id ? [{ ...match, section: referral ? "referrals" : "referrers", id }] : [];
  });
}

/** The people named by an event or purchase of this id, else the event; Google Play's receipts append the renewal (`..3`). */
export async function findByProviderId({ app, db }: Context, id: string): Promise<EndUserMatch[]> {
  const { rows } = await db.orm.execute<{ uid: string | null; event: string }>(sql`
    select coalesce(f.referee_uid, e.uids[1]) as uid, (array_agg(e.id order by e.verdict = 'unmatched' desc, e.id desc))[1] as event
      from (select id, verdict, uids, referral_id from provider_events where app_id = ${app.id} and purchase_id in (${id}, ${id.replace(/\.\.\d+$/, "")})
            union all
            select id, verdict, uids, referral_id from provider_events where app_id = ${app.id} and event_id = ${id}
               and connection_id = any(array(select c.id from provider_connections c where c.app_id = ${app.id}))) e
      left join referrals f on f.app_id = ${app.id} and f.id = e.referral_id
     group by 1 order by 1 nulls last limit 5`);
  const buyers = rows.flatMap(({ uid }) => (uid === null ? [] : personMatch(uid, "named by this purchase")));
  if (buyers.length > 0) return buyers;
  const unnamed = { kind: "event", section: "providers", title: id, note: "names no user" } as const;
  return rows.map(({ event }) => ({ ...unnamed, id: `unmatched?event=${event}` }));
}

/** The other ids of a person, by links between ids in any direction. */
export async function aliasesOf({ app, db }: Context, uid: string): Promise<string[]> {
  return (await db.call(LINKED_UIDS, { app: app.id, uids: [uid] })).map((row) => row.uid);
}

/** The stored requests that named a person, and the ids reported as theirs, oldest first, for an export. */
export async function tracesOf({ app, db }: Context, uid: string) {
  const { path, status, errorCode: error } = requestLog;
  const { id, metacode: typed_metacode, platform, createdAt } = requestSubjects;
  const { fromUid: from, toUid: to, type, createdAt: at } = identityLinks;
  const requests = await db.orm
    .select({ path, status, error, typed_metacode, platform, at: createdAt })
    .from(requestSubjects)
    .leftJoin(requestLog, and(eq(requestLog.appId, requestSubjects.appId), eq(requestLog.id, id)))
    .where(and(eq(requestSubjects.appId, app.id), eq(requestSubjects.uid, uid)))
    .orderBy(asc(id));
  const linked_ids = await db.orm
    .select({ from, to, type, at })
    .from(identityLinks)
    .where(and(eq(identityLinks.appId, app.id), or(eq(from, uid), eq(to, uid))))
    .orderBy(asc(at));
  return { requests, linked_ids };
}

/** The columns that name a person by a whole id, each of a table with an `app_id`. */
const NAMING = [
  ...[referrers.uid, referrals.refereeUid, refereesInLine.refereeUid, undoneSteps.refereeUid],
  ...[requestSubjects.uid, endUserNotes.uid, identityLinks.fromUid, identityLinks.toUid],
];

/** The person of exactly this id, if a row of {@link NAMING} or a provider event has it. */
export async function findByUid({ app, db }: Context, uid: string): Promise<EndUserMatch[]> {
  const named = NAMING.map(
    ({ table, name }) =>
      sql`select 1 from ${table} where app_id = ${app.id} and ${sql.identifier(name)} = ${uid}`,
  );
  const { rowCount } = await db.orm.execute(sql`${sql.join(named, sql` union all `)} union all
    select 1 from ${providerEvents} where app_id = ${app.id} and uids @> array[${uid}]::text[] limit 1`);
  return rowCount ? [personMatch(uid, "everything about this user")] : [];
}

/** A match that leads to a person's page. */
export function personMatch(uid: string, note: string): EndUserMatch {
  return { kind: "user", section: "people", id: uid, title: userLabel(uid), note };
}
