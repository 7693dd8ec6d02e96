import type { Platform } from "./fields";

/** How numbers, dates and durations read on every screen, in emails and in messages. English, days in UTC. */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const PLATFORMS = ["ios", "android"] as const;

/** The store of each platform. */
export const STORE_NAME: Record<Platform, string> = { ios: "App Store", android: "Google Play" };

export const PLATFORM_NAME: Record<Platform, string> = { ios: "iOS", android: "Android" };

/** Platforms as the choices of a field or a filter. */
export const platformChoices = (platforms: readonly Platform[] = PLATFORMS) =>
  platforms.map((value) => ({ value, name: PLATFORM_NAME[value] }));

/** A platform as a request named it: by its name, or as typed if it is unknown. */
export const platformName = (platform: string): string =>
  Object.hasOwn(PLATFORM_NAME, platform) ? PLATFORM_NAME[platform as Platform] : platform;

const dates = (shape: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...shape, timeZone: "UTC" });

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const longDate = dates({ dateStyle: "long" });
const shortDate = dates({ day: "numeric", month: "short", year: "numeric" });
const dayAndMonth = dates({ day: "numeric", month: "short" });
const monthAndYear = dates({ month: "long", year: "numeric" });
const minute = dates({ dateStyle: "medium", timeStyle: "short" });

/** `1,234` */
export const formatNumber = (value: number): string => whole.format(value);

/** `1.2K`, where an axis has little space. */
export const formatCompact = (value: number): string => compact.format(value);

/** The noun that fits a count. */
export const plural = (count: number, singular: string, many = `${singular}s`): string =>
  count === 1 ? singular : many;

/** `1 code`, `1,234 codes` */
export const formatCount = (count: number, singular: string, many?: string): string =>
  `${formatNumber(count)} ${plural(count, singular, many)}`;

/** {@link formatCount} of a count that stops at 10,000: `10,000 or more people`. */
export const formatMany = (count: number, singular: string, many: string): string =>
  `${formatNumber(count)}${count < 10_000 ? "" : " or more"} ${plural(count, singular, many)}`;

/** `2 of 4 claimed`, `2 of 4 claimed, 1 withdrawn`: the earned rewards of a referrer. */
export function formatRewards(rewards: { earned: number; claimed: number; withdrawn: number }): string {
  const { earned, claimed, withdrawn } = rewards;
  if (earned === 0) return "0";
  const gone = withdrawn > 0 ? `, ${formatNumber(withdrawn)} withdrawn` : "";
  return `${formatNumber(claimed)} of ${formatNumber(earned)} claimed${gone}`;
}

/** `39%`, `0.5%`; undefined where a share is meaningless: of zero, or above 100%. */
export function formatPercent(part: number, of: number): string | undefined {
  if (of <= 0 || part > of) return undefined;
  const percent = (part / of) * 100;
  return `${percent > 0 && percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)}%`;
}

/** `1 December 2026`, for sentences. */
export const formatLongDate = (at: Date): string => longDate.format(at);

/** `1 Dec 2026`, for tables. */
export const formatDate = (at: Date): string => shortDate.format(at);

/** `1 Dec`, where the year is clear. */
export const formatDayAndMonth = (at: Date): string => dayAndMonth.format(at);

/** `December 2026` */
export const formatMonth = (at: Date): string => monthAndYear.format(at);

/** `1 Dec 2026, 14:05 UTC` */
export const formatDateTime = (at: Date): string => `${minute.format(at)} UTC`;

/** `1 Dec 2026, 15:05:07 CET`, in a zone, or in that of the browser. */
export const formatZoned = (at: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone }).format(at);

const seen = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Whether a text was typed as it is displayed: a screen shows two spaces, or a no-break one, as one space. */
export const isTyped = (text: string, typed: string): boolean => seen(typed) === seen(text);

/** The calendar day in UTC, `2026-12-01`, of a date or of milliseconds since 1970. */
export const isoDay = (at: Date | number): string => new Date(at).toISOString().slice(0, 10);

/** The day that is `days` days before another. */
export const daysBefore = (day: string, days: number): string => isoDay(Date.parse(day) - days * DAY_MS);

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", 60_000],
];

/** `3 minutes ago`, `in 7 days`; the date when it is more than 30 days away. */
export function formatRelative(at: Date, now = Date.now()): string {
  const distance = at.getTime() - now;
  if (Math.abs(distance) > 30 * DAY_MS) return formatDate(at);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ["minute", 60_000];
  const steps = Math.round(distance / size);
  return steps === 0 ? "just now" : relative.format(steps, unit);
}

/** `840 µs`, `3.2 ms`, `1.4 s`, from microseconds. */
export function formatDuration(micros: number): string {
  if (micros < 1_000) return `${micros} µs`;
  if (micros < 1_000_000) return `${(micros / 1_000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
  return `${(micros / 1_000_000).toFixed(1)} s`;
}

/** How long a stock lasts: `12 days`, `Less than a day`, `More than 2 years`. */
export function formatDaysLeft(daysLeft: number): string {
  if (daysLeft < 1) return "Less than a day";
  return daysLeft > 730 ? "More than 2 years" : formatCount(Math.floor(daysLeft), "day");
}
