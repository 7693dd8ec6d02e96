/** What a key may do. The default key has all of them (section 5). */
export const SCOPES = [
  "referrer:read",
  "referrer:write",
  "reward:claim",
  "referee:redeem",
  "webhook:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** A key that changes nothing. */
export const READ_ONLY_SCOPES: readonly Scope[] = ["referrer:read", "webhook:read"];

/** A key for the referee's side of an app: all that can be stolen with it is one code a uid. */
export const REDEEM_ONLY_SCOPES: readonly Scope[] = ["referee:redeem"];
