/** What may be kept of a delivery: nothing that proves, names or locates anybody. */
const HARMLESS = [
  "accept",
  "content-length",
  "content-type",
  "date",
  "svix-id",
  "svix-timestamp",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "x-purchasely-timestamp",
];

const MAX_VALUE = 200;

/** The headers of a delivery that are kept with it. A list of what may stay, because new proofs appear unasked. */
export function harmlessHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of HARMLESS) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value.slice(0, MAX_VALUE).replaceAll("\0", "").toWellFormed();
  }
  return kept;
}
