import { and, gte, inArray, sql } from "drizzle-orm";
import { DAY_MS, daysBefore, isoDay } from "@/lib/contract/format";
import type { Figures, OverviewQuery, Range, Trend } from "@/lib/contract/overview";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { dailyStats } from "@/lib/platform/db/schema";
import { TAIL } from "@/lib/program/stats/roll-up";
import type { Context } from "@/lib/tenants/context";

type Days = Pick<OverviewQuery, "from" | "to">;

/** The first days of all buckets, in the span and in the previous one. */
interface Span {
  unit: "day" | "month";
  /** First day of each bucket, the oldest first. */
  starts: string[];
  /** The same buckets in the previous span. */
  startsBefore: string[];
  /** Last day: today, or an earlier one that was chosen. */
  until: string;
  /** Last compared day: as far into the previous span as today is into this one. */
  untilBefore: string;
}

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

const MONTHS = 12;

const each = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, n) => make(n));

/** The first day of the month that is the given number of months earlier. */
function monthBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return isoDay(new Date(Date.UTC(year, month - 1 - months, 1)));
}

/** The same day a year earlier; 28 February for 29 February. */
function yearBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year - 1, month, 0)).getUTCDate();
  return isoDay(new Date(Date.UTC(year - 1, month - 1, Math.min(date, last))));
}

/** The longest chosen span, so that a page reads two years at most. */
const MOST_DAYS = 366;

/** Longer spans are drawn by month. */
const MOST_BY_DAY = 92;

const daysFrom = (first: string, last: string) =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;

/** Chosen days, at most {@link MOST_DAYS} and none in the future; the last 30 if the choice is invalid. */
function customSpan({ from, to }: Days, today: string): Span {
  const until = to && to < today ? to : today;
  const chosen = from && from <= until ? from : daysBefore(until, DAYS["30d"] - 1);
  const first = daysFrom(chosen, until) > MOST_DAYS ? daysBefore(until, MOST_DAYS - 1) : chosen;
  const length = daysFrom(first, until);
  const unit = length > MOST_BY_DAY ? "month" : "day";
  const days = each(length, (n) => daysBefore(until, length - 1 - n));
  const starts = unit === "day" ? days : days.filter((day, n) => n === 0 || day.endsWith("-01"));
  const startsBefore = starts.map((start) => daysBefore(start, length));
  return { unit, starts, startsBefore, until, untilBefore: daysBefore(until, length) };
}

/** The days (UTC) of a preset, today included, or chosen ones, and the days that they are compared with. */
export function spanOf(range: Range, now = new Date(), chosen: Days = {}): Span {
  const until = isoDay(now);
  if (range === "custom") return customSpan(chosen, until);
  if (range === "12m") {
    const starts = each(MONTHS, (n) => monthBefore(until, MONTHS - 1 - n));
    const startsBefore = starts.map((start) => monthBefore(start, MONTHS));
    return { unit: "month", starts, startsBefore, until, untilBefore: yearBefore(until) };
  }
  const days = DAYS[range];
  const starts = each(days, (n) => daysBefore(until, days - 1 - n));
  const startsBefore = starts.map((start) => daysBefore(start, days));
  return { unit: "day", starts, startsBefore, until, untilBefore: daysBefore(until, days) };
}

interface Day extends Figures {
  day: string;
}

const DAILY_FIGURES = sqlFunction("daily_figures", {
  app: "uuid",
  from: "date",
  until: "date",
  campaign: "uuid?",
  platform: "text?",
  tail: "int",
}).returns<Day[]>();

const NAMES = ["clicked", "assigned", "confirmed", "reversed", "earned", "claimed"] as const;

function sum(days: Figures[]): Figures {
  const total: Figures = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };
  for (const day of days) for (const name of NAMES) total[name] += Number(day[name]);
  return total;
}

/** The sums of each bucket, from its first day to the next bucket's. */
function sumsOf(days: Day[], starts: string[], until: string): Figures[] {
  return starts.map((start, n) => {
    const next = starts[n + 1];
    return sum(days.filter(({ day }) => day >= start && (next ? day < next : day <= until)));
  });
}

function toTrend(days: Day[], { unit, starts, startsBefore, until, untilBefore }: Span): Trend {
  const now = sumsOf(days, starts, until);
  const before = sumsOf(days, startsBefore, untilBefore);
  const buckets = starts.map((start, n) => ({ start, now: now[n] ?? sum([]), before: before[n] ?? sum([]) }));
  const unfinished = until === isoDay(new Date());
  return { unit, from: starts[0] ?? until, until, unfinished, buckets, now: sum(now), before: sum(before) };
}

/**
 * The figures of the funnel in a span and in the span before, up to this second. Reads a row per day, campaign and
 * platform along the primary key of `daily_stats`, for at most two years, and the newest events.
 */
export async function readTrend(
  ctx: Context,
  { range, from, to, campaign, platform }: Omit<OverviewQuery, "step">,
): Promise<Trend> {
  const span = spanOf(range, new Date(), { from, to });
  const days = await ctx.db.call(DAILY_FIGURES, {
    app: ctx.app.id,
    from: span.startsBefore[0] ?? span.until,
    until: span.until,
    campaign: campaign ?? null,
    platform: platform ?? null,
    tail: TAIL,
  });
  return toTrend(days, span);
}

/** Days of a sparkline. */
const SPARK_DAYS = 30;

/**
 * Confirmed referrals on each of the last days, today included, of these apps or of these campaigns of one: a statement for
 * all rows of a list. Rolled up only, so a minute old.
 */
export async function recentConfirmed(
  db: Db,
  appIds: readonly string[],
  by: "app" | "campaign",
  campaignIds?: readonly string[],
): Promise<(id: string) => number[]> {
  const { appId, campaignId, day, confirmed } = dailyStats;
  const today = isoDay(new Date());
  const days = each(SPARK_DAYS, (n) => daysBefore(today, SPARK_DAYS - 1 - n));
  const id = by === "app" ? appId : campaignId;
  const rows = await db.orm
    .select({ id, day, confirmed: sql<number>`sum(${confirmed})::float8` })
    .from(dailyStats)
    .where(
      and(
        inArray(appId, [...appIds]),
        gte(day, days[0] ?? today),
        campaignIds && inArray(campaignId, [...campaignIds]),
      ),
    )
    .groupBy(id, day);
  const counts = new Map(rows.map((row) => [`${row.id} ${row.day}`, row.confirmed]));
  return (row) => days.map((date) => counts.get(`${row} ${date}`) ?? 0);
}
