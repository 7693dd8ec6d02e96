import { DAY_MS, isoDay } from "@/lib/contract/format";

/**
 * The most events since the roll-up that a page adds to the stored figures. The roll-up is a minute behind; beyond 166
 * events a second the figures of a page are up to a minute old.
 */
export const TAIL = 10_000;

/** The day that is the given number of days before another. */
export function daysBefore(day: string, days: number): string {
  return isoDay(Date.parse(day) - days * DAY_MS);
}
