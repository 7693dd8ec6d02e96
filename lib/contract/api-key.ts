import type { keyLimitRefusals } from "@/lib/platform/db/schema";
import { wholeField, wholeText } from "./fields";

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

/** Whether these scopes are meant for a key shipped in an app: they redeem and claim nothing. */
export const isForPhones = (scopes: readonly string[]): boolean =>
  scopes.includes("referee:redeem") && !scopes.includes("reward:claim");

/** Codes, and new referrers, that one address gets in 24 hours with a new key for phones. */
export const DEFAULT_ADDRESS_CAP = 20;

/** The limits that the owner sets for a key; null for none. */
export const keyLimitFields = {
  dailyBudget: wholeField("dailyBudget", 1, 100_000_000).nullish(),
  addressCap: wholeField("addressCap", 1, 10_000).nullish(),
};

/** {@link keyLimitFields} from a form. */
export const keyLimitTexts = {
  dailyBudget: wholeText("dailyBudget", 1, 100_000_000).nullish().default(null),
  addressCap: wholeText("addressCap", 1, 10_000).nullish().default(null),
};

/** The limits that can refuse requests of a key. The names are stored. */
export type KeyLimit = (typeof keyLimitRefusals.$inferSelect)["limit"];

/** Short names, for lists and alerts. */
export const KEY_LIMIT_NAMES: Record<KeyLimit, string> = {
  daily_budget: "Daily budget",
  burst: "Request bursts",
  invalid_requests: "Invalid requests per address",
  unknown_metacodes: "Unknown metacodes, all callers",
  unknown_per_user: "Unknown metacodes per user",
  unknown_per_address: "Unknown metacodes per address",
  codes_per_address: "Codes per address",
  referrers_per_address: "New referrers per address",
};

/** A limit that refuses requests of a key now. */
export interface LimitInForce {
  limit: KeyLimit;
  /** Requests refused since `since`. */
  refused: number;
  since: Date;
  /** The last refusal's end. */
  until: Date;
}

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
  /** Requests per day (UTC); null without a budget. */
  dailyBudget: number | null;
  /** Requests of today (UTC) that count against the budget. */
  budgetUsed: number;
  /** Codes, and new referrers, of one address in 24 hours; null for a key that servers hold. */
  addressCap: number | null;
  limitsInForce: LimitInForce[];
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
