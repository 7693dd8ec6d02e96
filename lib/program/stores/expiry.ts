import { z } from "zod";
import { DAY_MS } from "@/lib/contract/format";

const ZONE = "America/Los_Angeles";

const pacificHour = new Intl.DateTimeFormat("en", { timeZone: ZONE, hour: "numeric", hourCycle: "h23" });

/** The time at which codes with an expiry date, `2027-03-31`, end in both stores: 00:00 Pacific Time. */
export function storeMidnight(date: string): Date {
  const at = (offset: string) => new Date(`${date}T00:00:00${offset}`);
  const summer = at("-07:00");
  const isSummer = Number.isNaN(summer.getTime()) || pacificHour.format(summer) === "00";
  return isSummer ? summer : at("-08:00");
}

/** The Pacific Time date of a point in time, in the form that {@link storeMidnight} takes. */
export function storeDate(at: Date): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE }).format(at);
}

/** A day in a form or an address, `2027-03-31`, parsed to the time at which the stores end it. */
export const dayField = (field: string) =>
  z
    .string({ error: `${field} must be a day` })
    .regex(/^\d{4}-\d\d-\d\d$/, { error: `${field} must be a day such as 2027-03-31` })
    // A day that its month lacks would become one of the next month.
    .refine((date) => z.iso.date().safeParse(date).success, {
      error: `${field} must be a day of the calendar`,
    })
    .transform(storeMidnight);

/** Apple's codes expire within this many months. */
const MONTHS = 6;

/** The last expiry day that Apple accepts for codes created now. */
export function latestExpiry(now: Date): string {
  const [year = 0, month = 1, day = 1] = storeDate(now).split("-").map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + MONTHS + 1, 0)).getUTCDate();
  const end = new Date(Date.UTC(year, month - 1 + MONTHS, Math.min(day, lastOfMonth)));
  return end.toISOString().slice(0, 10);
}

/** The store's day the given number of days from now, or the latest accepted day if that is earlier. */
export function expiryIn(days: number, now: Date): string {
  const wanted = storeDate(new Date(now.getTime() + days * DAY_MS));
  const latest = latestExpiry(now);
  if (latest < wanted) return latest;
  return wanted;
}

/** The reason why codes created now cannot expire on a day; undefined if they can. */
export function expiryFault(expiresOn: string, now: Date): string | undefined {
  if (expiresOn <= storeDate(now)) return "expiresOn must be after today, Pacific Time";
  const latest = latestExpiry(now);
  return expiresOn > latest
    ? `expiresOn must not be after ${latest}: Apple's codes expire within six months`
    : undefined;
}
