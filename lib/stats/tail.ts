/**
 * Events since the roll-up that a page adds to what is stored, at most. The roll-up is a minute behind; beyond 166
 * events a second the figures of a page are up to a minute old.
 */
export const TAIL = 10_000;

export const DAY_MS = 86_400_000;

/** A day of the calendar, UTC, as `YYYY-MM-DD`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The day so many days before another. */
export function daysBefore(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) - days * DAY_MS));
}
