import { and, eq, gte, inArray, like, lt, or, type SQL, sum } from "drizzle-orm";
import { type ErrorHelp, REFUSED_BODY } from "@/lib/contract/error-help";
import { isUuid } from "@/lib/contract/fields";
import { DAY_MS, isoDay } from "@/lib/contract/format";
import { REQUEST_PERIODS, type RequestFilters, type RequestLine } from "@/lib/contract/request-line";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { apps, keyUsageDays, requestLog, requestSubjects } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import { type Page, type Paged, pageSize } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";

const MINUTE = 60_000;
const PERIOD_MS = { "15m": 15 * MINUTE, "1h": 60 * MINUTE, "24h": DAY_MS } as const;

/** The app's answered requests, newest first. {@link requestTotals} counts those that are not listed. */
export async function listRequests(
  ctx: Context,
  filters: RequestFilters,
  page: Page = {},
): Promise<Paged<RequestLine>> {
  if (filters.id !== undefined && !isUuid(filters.id)) return { data: [], nextCursor: null };
  const { data, nextCursor } = await walkPage(ctx.db, requestLog, {
    ...newestFirst(requestLog.id),
    within: keyRange(ctx, filters),
    filter: matches(filters),
    cursor: filters.cursor,
    size: pageSize(page),
  });
  const uids = await namedUids(
    ctx,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => toLine(row, uids.get(row.id) ?? null)), nextCursor };
}

/** The cause and the fix of a connection's newest refused delivery, if its body was at fault and the log lists it. */
export async function findRefusedBody(ctx: Context, key: string): Promise<ErrorHelp | undefined> {
  const { data } = await listRequests(ctx, { outcome: "refused", endpoint: "providers", key }, { limit: 1 });
  return REFUSED_BODY[data[0]?.errorCode ?? ""];
}

/** The uids that requests named, by the id of the request. */
async function namedUids({ app, db }: Context, ids: string[]): Promise<ReadonlyMap<string, string>> {
  const { appId, id, uid } = requestSubjects;
  const rows = await db.orm
    .select({ id, uid })
    .from(requestSubjects)
    .where(and(eq(appId, app.id), inArray(id, ids)));
  return new Map(rows.map((row) => [row.id, row.uid]));
}

/** The walked part of the primary key: the app, an id, a period. */
function keyRange(ctx: Context, { id, time }: RequestFilters): SQL | undefined {
  const [from, until] = time === undefined ? [] : span(time);
  return and(
    eq(requestLog.appId, ctx.app.id),
    id === undefined ? undefined : eq(requestLog.id, id),
    from && gte(requestLog.id, firstIdAt(from)),
    until && lt(requestLog.id, firstIdAt(until)),
  );
}

function span(time: NonNullable<RequestFilters["time"]>): [from: Date, until?: Date] {
  const period = REQUEST_PERIODS.find((name) => name === time);
  if (period) return [new Date(Date.now() - PERIOD_MS[period])];
  const day = new Date(`${time}T00:00:00Z`);
  return [day, new Date(day.getTime() + DAY_MS)];
}

function matches({ outcome, code, endpoint, key }: RequestFilters): SQL | undefined {
  const { status, errorCode, path, keyId } = requestLog;
  const at = endpoint && `/api/${endpoint}`;
  return and(
    outcome === "answered" ? lt(status, 400) : undefined,
    outcome === "refused" ? and(gte(status, 400), lt(status, 500)) : undefined,
    outcome === "failed" ? gte(status, 500) : undefined,
    code === undefined ? undefined : eq(errorCode, code),
    at === undefined ? undefined : or(eq(path, at), like(path, `${at}/%`)),
    key === undefined ? undefined : eq(keyId, key),
  );
}

function toLine(row: typeof requestLog.$inferSelect, uid: string | null): RequestLine {
  const { appId: _, createdAt, ...line } = row;
  return { ...line, uid, at: createdAt };
}

/** The coverage of an app's request log. */
interface RequestTotals {
  /** For how many days requests are listed. */
  days: number;
  /** The start of the day (UTC) in which the log begins: requests are counted by day. */
  since: Date;
  /** All requests since then. */
  requests: number;
  /** The requests that were counted but not listed, because more arrived in one second than the log accepts. */
  unlisted: number;
}

/** Counts the requests that the log covers from the daily counts, so the cost does not depend on their number. */
export async function requestTotals(ctx: Context): Promise<RequestTotals> {
  const { orm } = ctx.db;
  const [app] = await orm.select({ days: apps.requestLogDays }).from(apps).where(eq(apps.id, ctx.app.id));
  const days = app?.days ?? 0;
  const first = isoDay(Date.now() - days * DAY_MS);
  const since = new Date(`${first}T00:00:00Z`);
  const [found] = await orm
    .select({ requests: sum(keyUsageDays.requests), unlisted: sum(keyUsageDays.unlisted) })
    .from(keyUsageDays)
    .where(and(eq(keyUsageDays.appId, ctx.app.id), gte(keyUsageDays.day, first)));
  return { days, since, requests: Number(found?.requests ?? 0), unlisted: Number(found?.unlisted ?? 0) };
}
