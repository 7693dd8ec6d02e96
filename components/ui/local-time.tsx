"use client";

import { useSyncExternalStore } from "react";

const SHAPES = {
  day: { day: "numeric", month: "short", year: "numeric" },
  minute: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  second: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const never = () => () => undefined;

/** A moment in the zone of whoever looks: in UTC, and said so, until the browser has taken over. */
export function LocalTime({ at, shape = "minute" }: { at: Date; shape?: keyof typeof SHAPES }) {
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const zone = here ? {} : ({ timeZone: "UTC" } as const);
  const text = new Intl.DateTimeFormat("en-GB", { ...SHAPES[shape], ...zone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()} className="whitespace-nowrap">
      {here ? text : `${text} UTC`}
    </time>
  );
}
