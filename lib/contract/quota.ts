/** Percentage of the monthly quota from which members and webhooks are warned; `take_quota` announces it and 100. */
export const QUOTA_WARN_PERCENT = 80;

/** The requests of a month that reach {@link QUOTA_WARN_PERCENT} of the quota. */
export const quotaWarnLine = (limit: number): number => Math.ceil((limit * QUOTA_WARN_PERCENT) / 100);

/** The colour of a month's use: a warning from {@link quotaWarnLine} on, bad once the quota is used up. */
export const quotaTone = (used: number, limit: number): "accent" | "warn" | "bad" =>
  used >= limit ? "bad" : used >= quotaWarnLine(limit) ? "warn" : "accent";
