import type { Range, Step } from "@/lib/contract/overview";

export const STEP_NAMES: Record<Step, string> = {
  clicked: "Clicked",
  assigned: "Code assigned",
  confirmed: "Confirmed",
  earned: "Rewards earned",
  claimed: "Rewards claimed",
};

export const RANGE_NAMES: Record<Range, { short: string; long: string; before: string }> = {
  "7d": { short: "7 days", long: "Last 7 days", before: "the 7 days before" },
  "30d": { short: "30 days", long: "Last 30 days", before: "the 30 days before" },
  "90d": { short: "90 days", long: "Last 90 days", before: "the 90 days before" },
  "12m": { short: "12 months", long: "Last 12 months", before: "the year before" },
};

export const PLATFORM_NAMES = { ios: "iOS", android: "Android" } as const;

const whole = new Intl.NumberFormat("en");
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

/** `1,234` */
export const count = (value: number): string => whole.format(value);

/** `1 code`, `2 codes` */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/** A day or month of the chart; days are UTC on every machine. */
export function bucketName(start: string, unit: "day" | "month", shape: "short" | "long"): string {
  return shapes[unit][shape].format(new Date(start));
}

/** `12 Jan`, UTC. */
export const dayName = (at: Date): string => shapes.day.short.format(at);

/** A part of a whole, or nothing where that says nothing: out of none, or more than all. */
export function share(part: number, of: number): string | undefined {
  if (of <= 0 || part > of) return undefined;
  const percent = (part / of) * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** How long a stock lasts, in words. */
export function lasting(daysLeft: number | null): string {
  if (daysLeft === null) return "None given in 7 days";
  if (daysLeft < 1) return "Less than a day left";
  if (daysLeft > 730) return "More than 2 years left";
  return `${counted(Math.floor(daysLeft), "day")} left`;
}
