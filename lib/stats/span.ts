import type { Range } from "@/lib/contract/overview";
import { dayOf, daysBefore } from "@/lib/stats/tail";

/** Where each bucket begins, in the span and in the one before. */
export interface Span {
  unit: "day" | "month";
  /** First day of each bucket, the oldest first. */
  starts: string[];
  /** The same places in the span before. */
  startsBefore: string[];
  /** Last day, today. */
  until: string;
  /** Last day of the span before: as far into it as today is into this one. */
  untilBefore: string;
}

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

const MONTHS = 12;

const each = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, n) => make(n));

/** The first day of the month so many months before a day's. */
function monthBefore(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 - months, 1)));
}

/** The same day a year earlier; the 29th of February has its 28th. */
function yearBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year - 1, month, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year - 1, month - 1, Math.min(date, last))));
}

/** The days (UTC) of a preset, today included, and those to compare them with. */
export function spanOf(range: Range, now = new Date()): Span {
  const until = dayOf(now);
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
