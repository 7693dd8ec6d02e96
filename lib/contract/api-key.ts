/** The permissions of a key. The default key has all of them (section 5). */
export const SCOPES = [
  "referrer:read",
  "referrer:write",
  "reward:claim",
  "referee:redeem",
  "webhook:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes of a key that changes nothing. */
export const READ_ONLY_SCOPES: readonly Scope[] = ["referrer:read", "webhook:read"];

/** The scopes of the key for an app in a phone, which every plan has: a thief of the key cannot claim rewards. */
export const PHONE_SCOPES: readonly Scope[] = ["referrer:read", "referrer:write", "referee:redeem"];

/** The scope of a key for the referee's side of an app: a thief of the key gets at most one code per uid. */
export const REDEEM_ONLY_SCOPES: readonly Scope[] = ["referee:redeem"];

/** A key as the dashboard shows it: never its text or hash. */
export interface KeySummary {
  id: string;
  name: string;
  /** `mc_live_` or `mc_test_` and four characters. */
  prefix: string;
  lastFour: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  /** `expiring` is a rotated key within its grace period. */
  state: "active" | "expiring" | "expired" | "revoked";
}

/** The requests of a key on one day (UTC). */
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
