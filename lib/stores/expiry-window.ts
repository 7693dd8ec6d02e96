import { storeDate } from "./expiry";

const DAY_MS = 86_400_000;
/** Apple makes codes that end at most so many months later. */
const MONTHS = 6;

/** The last day on which codes made now may end, as the store writes it. */
export function latestExpiry(now: Date): string {
  const [year = 0, month = 1, day = 1] = storeDate(now).split("-").map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + MONTHS + 1, 0)).getUTCDate();
  const end = new Date(Date.UTC(year, month - 1 + MONTHS, Math.min(day, lastOfMonth)));
  return end.toISOString().slice(0, 10);
}

/** The store's day so many days from now, at most the last one that is allowed. */
export function expiryIn(days: number, now: Date): string {
  const wanted = storeDate(new Date(now.getTime() + days * DAY_MS));
  const latest = latestExpiry(now);
  if (latest < wanted) return latest;
  return wanted;
}

/** Why codes made now cannot end on a day; nothing where they can. */
export function expiryFault(expiresOn: string, now: Date): string | undefined {
  if (expiresOn <= storeDate(now)) return "expiresOn must be after today in California";
  const latest = latestExpiry(now);
  return expiresOn > latest
    ? `expiresOn must not be after ${latest}: codes end within six months`
    : undefined;
}
