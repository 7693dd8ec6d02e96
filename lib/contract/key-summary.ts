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
