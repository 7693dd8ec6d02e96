const DAY = 86_400_000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const date = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "3 minutes ago", "in 7 days"; further than 30 days away the date. In UTC, so that server and browser agree. */
export function nearTime(at: Date, now = Date.now()): string {
  const distance = at.getTime() - now;
  if (Math.abs(distance) > 30 * DAY) return date.format(at);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ["minute", 60_000];
  const steps = Math.round(distance / size);
  return steps === 0 ? "just now" : relative.format(steps, unit);
}

/** A moment near enough to be told as a distance, with the exact time on hover. */
export function Near({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={`${exact.format(at)} UTC`} suppressHydrationWarning>
      {nearTime(at)}
    </time>
  );
}
