import type { Plan, Role } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";

/** The app whose rows a verb may touch, with the columns that verbs need. */
export interface AppRef {
  id: string;
  name: string;
  sandbox: boolean;
  appleAppId: string | null;
  androidPackage: string | null;
  /** The app's own host for its links, once it is verified. */
  landingDomain: string | null;
  iosBundleId: string | null;
}

interface WorkspaceRef {
  id: string;
}

/** The caller: an API key, a user of the dashboard, a provider's delivery, or the service itself. */
export type Actor = KeyActor | UserActor | { kind: "provider"; id: string } | { kind: "system" };

/** An API key, with the network address of the request. */
export interface KeyActor {
  kind: "api_key";
  id: string;
  scopes: readonly string[];
  address: string;
  /** The name under which the key's limits count. */
  limitsId: string;
  /** Codes, and new referrers, of one address in 24 hours; null where servers hold the key. */
  addressCap: number | null;
}

/** A user of the dashboard, with the network address of the request. */
export interface UserActor {
  kind: "user";
  id: string;
  name: string;
  address: string;
  /** The lowest role that may make the change; `recordAudit` reads the membership again in the change's transaction. */
  needed?: Role;
}

/** The result of `take_quota`. */
export interface QuotaAnswer {
  granted: number;
  remaining: number;
  /** The end of the month as a Unix second. */
  reset: number;
}

/** The arguments with which a hot SQL function counts its request: workspace, monthly limit, units to take. */
export interface QuotaArguments {
  workspace: string | null;
  quota_limit: number;
  quota_units: number;
}

/** The numbers of the rate-limit headers: requests per month, requests left, Unix second of the next month. */
interface QuotaState {
  limit: number;
  remaining: number;
  reset: number;
}

/**
 * Counts one request. A hot verb passes {@link statement} to its SQL function and the function's `quota` to {@link
 * settle}, so that counting costs no extra round trip; {@link take} counts requests of all other verbs.
 */
export interface Meter {
  /** The arguments of the counting statement: 0 units if a share taken earlier pays. */
  statement(): QuotaArguments;
  /** Stores the result of the statement. Throws RATE_LIMITED if it granted nothing. */
  settle(answer: QuotaAnswer | null): void;
  /** Counts the request in a separate statement, unless it is counted already. Throws RATE_LIMITED. */
  take(): Promise<void>;
  /** Uncounts a request that ended in a server error (5xx). */
  refund(): void;
  state(): QuotaState;
}

/** First argument of every verb that reads a tenant's rows. */
export interface Context {
  /** The values with which the form of this request was opened, as JSON; `refuseUndoing` compares them. */
  seen?: string | undefined;
  app: AppRef;
  workspace: WorkspaceRef;
  actor: Actor;
  db: Db;
  requestId: string;
  /** Counts requests against the workspace's quota; `unmetered` for users and the service itself. */
  meter: Meter;
}

/** First argument of verbs about a workspace itself: its members, its plan, its audit log. */
export interface WorkspaceContext {
  /** The values with which the form of this request was opened, as in {@link Context}. */
  seen?: string | undefined;
  workspace: { id: string; name: string; plan: Plan };
  actor: UserActor;
  role: Role;
  db: Db;
}
