/** What a key was used for on one day (UTC). */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  day: string;
  requests: number;
  /** Of these, answered 4xx. */
  refused: number;
  /** Of these, answered 5xx. */
  failed: number;
}

/** Days of each key by its id, oldest first and without gaps. */
export type KeyUsage = Record<string, UsageDay[]>;
