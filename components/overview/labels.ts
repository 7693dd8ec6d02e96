import { DAY_MS, formatDate, formatDayAndMonth } from "@/lib/contract/format";
import type { Range, Trend } from "@/lib/contract/overview";

export const RANGE_NAMES: Record<
  Exclude<Range, "custom">,
  { short: string; long: string; before: string }
> = {
  "7d": { short: "7 days", long: "Last 7 days", before: "previous 7 days" },
  "30d": { short: "30 days", long: "Last 30 days", before: "previous 30 days" },
  "90d": { short: "90 days", long: "Last 90 days", before: "previous 90 days" },
  "12m": { short: "12 months", long: "Last 12 months", before: "previous 12 months" },
};

/** The chart's names for the period of the figures and for the period before it. */
export function rangeNames(range: Range, { from, until }: Pick<Trend, "from" | "until">) {
  if (range !== "custom") return RANGE_NAMES[range];
  const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
  const [first, last] = [new Date(from), new Date(until)];
  const sameYear = first.getUTCFullYear() === last.getUTCFullYear();
  const start = from === until ? "" : `${sameYear ? formatDayAndMonth(first) : formatDate(first)} to `;
  const long = `${start}${formatDate(last)}`;
  return { long, before: days === 1 ? "day before" : `previous ${days} days` };
}

const dayShape = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const shapes = {
  day: {
    short: new Intl.DateTimeFormat("en-GB", dayShape),
    long: new Intl.DateTimeFormat("en-GB", { ...dayShape, weekday: "short", year: "numeric" }),
  },
  month: {
    short: new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" }),
    long: new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }),
  },
};

/** A day or month of the chart, in UTC. */
export function periodName(start: string, unit: "day" | "month", shape: "short" | "long"): string {
  return shapes[unit][shape].format(new Date(start));
}
