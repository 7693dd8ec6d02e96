"use client";

import { useSyncExternalStore } from "react";
import { DAY_MS, formatDateTime, formatRelative, formatZoned } from "@/lib/contract/format";

/** A time, relative if it is recent ("3 minutes ago"), with the exact time on hover. */
export function RelativeTime({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={formatDateTime(at)} suppressHydrationWarning>
      {formatRelative(at)}
    </time>
  );
}

const SHAPES = {
  day: { day: "numeric", month: "short", year: "numeric" },
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  second: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const never = () => () => undefined;

/** The distance from which a day and a month without a year could be taken for near ones: wrong clocks date events ahead. */
const OLD_MS = 180 * DAY_MS;

/** A time in the browser's own zone, which is named on hover; before the scripts run it is in UTC and marked so. */
export function LocalTime({ at, shape = "minute" }: { at: Date; shape?: keyof typeof SHAPES }) {
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const zone = hydrated ? {} : ({ timeZone: "UTC" } as const);
  const year = Math.abs(Date.now() - at.getTime()) > OLD_MS ? ({ year: "numeric" } as const) : {};
  const text = new Intl.DateTimeFormat("en-GB", { ...SHAPES[shape], ...year, ...zone }).format(at);
  return (
    <time
      dateTime={at.toISOString()}
      title={formatZoned(at, hydrated ? undefined : "UTC")}
      className="whitespace-nowrap"
    >
      {hydrated ? text : `${text} UTC`}
    </time>
  );
}
