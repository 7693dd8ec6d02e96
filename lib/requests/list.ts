import { and, eq, gte, like, lt, or, type SQL } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { PERIODS, type RequestFilters, type RequestLine } from "@/lib/contract/request-line";
import { isUuid } from "@/lib/contract/uuid";
import { requestLog } from "@/lib/db/schema";
import { newestFirst, walkPage } from "@/lib/db/walk";
import { idFrom } from "@/lib/maintenance/chunks";
import { type Page, type Paged, pageSize } from "@/lib/page";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const PERIOD_MS = { "15m": 15 * MINUTE, "1h": 60 * MINUTE, "24h": DAY } as const;

/** The app's answered requests, newest first; what was left out of the log is counted by {@link unlistedRequests}. */
export async function listRequests(
  ctx: Context,
  filters: RequestFilters,
  page: Page = {},
): Promise<Paged<RequestLine>> {
  if (filters.id !== undefined && !isUuid(filters.id)) return { data: [], nextCursor: null };
  const { data, nextCursor } = await walkPage(ctx.db, requestLog, {
    ...newestFirst(requestLog.id),
    within: reach(ctx, filters),
    filter: wanted(filters),
    cursor: filters.cursor,
    size: pageSize(page),
  });
  return { data: data.map(toLine), nextCursor };
}

/** What the primary key alone bounds: the app, one id, a time. */
function reach(ctx: Context, { id, time }: RequestFilters): SQL | undefined {
  const [from, until] = time === undefined ? [] : span(time);
  return and(
    eq(requestLog.appId, ctx.app.id),
    id === undefined ? undefined : eq(requestLog.id, id),
    from && gte(requestLog.id, idFrom(from)),
    until && lt(requestLog.id, idFrom(until)),
  );
}

function span(time: NonNullable<RequestFilters["time"]>): [from: Date, until?: Date] {
  const period = PERIODS.find((one) => one === time);
  if (period) return [new Date(Date.now() - PERIOD_MS[period])];
  const day = new Date(`${time}T00:00:00Z`);
  return [day, new Date(day.getTime() + DAY)];
}

function wanted({ outcome, code, endpoint, key }: RequestFilters): SQL | undefined {
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

function toLine(row: typeof requestLog.$inferSelect): RequestLine {
  const { appId: _, createdAt, ...line } = row;
  return { ...line, at: createdAt };
}
