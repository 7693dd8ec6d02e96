const ZONE = "America/Los_Angeles";

const hourThere = new Intl.DateTimeFormat("en", { timeZone: ZONE, hour: "numeric", hourCycle: "h23" });

/** The moment at which both stores end what expires on a date, written `2027-03-31`: midnight in California. */
export function storeMidnight(date: string): Date {
  const [summer, winter] = ["-07:00", "-08:00"].map((offset) => new Date(`${date}T00:00:00${offset}`));
  return summer && hourThere.format(summer) === "00" ? summer : (winter ?? new Date(Number.NaN));
}

/** The store's date of a moment, as {@link storeMidnight} takes it. */
export function storeDate(at: Date): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE }).format(at);
}
