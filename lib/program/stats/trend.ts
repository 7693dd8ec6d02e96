import { isoDay } from "@/lib/contract/format";
import type { Figures, OverviewQuery, Range, Trend } from "@/lib/contract/overview";
import { sqlFunction } from "@/lib/platform/db/calls";
import { daysBefore, TAIL } from "@/lib/program/stats/tail";
import type { Context } from "@/lib/tenants/context";

/** The first days of all buckets, in the span and in the previous one. */
interface Span {
  unit: "day" | "month";
  /** First day of each bucket, the oldest first. */
  starts: string[];
  /** The same buckets in the previous span. */
  startsBefore: string[];
  /** Last day, today. */
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

/** The days (UTC) of a preset, today included, and the days that they are compared with. */
export function spanOf(range: Range, now = new Date()): Span {
  const until = isoDay(now);
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
  return { unit, from: starts[0] ?? until, until, buckets, now: sum(now), before: sum(before) };
}

/**
 * The figures of the funnel in a span and in the span before, up to this second. Reads a row per day, campaign and
 * platform along the primary key of `daily_stats`, for at most two years, and the newest events.
 */
export async function readTrend(
  ctx: Context,
  { range, campaign, platform }: Pick<OverviewQuery, "range" | "campaign" | "platform">,
): Promise<Trend> {
  const span = spanOf(range);
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
