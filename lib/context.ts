import type { Plan } from "@/lib/contract/plan";
import type { Role } from "@/lib/contract/roles";
import type { Db } from "@/lib/db/client";
import type { Meter } from "@/lib/quota/meter";

/** The app whose rows a verb may touch, with what verbs need to know of it. */
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

/** Who asks: a key from outside, a person in the dashboard, a provider's delivery, or the service itself. */
export type Actor =
  | { kind: "api_key"; id: string; scopes: readonly string[]; address: string }
  | UserActor
  | { kind: "provider"; id: string }
  | { kind: "system" };

/** A person in the dashboard, with the network address that the request came from. */
export interface UserActor {
  kind: "user";
  id: string;
  name: string;
  address: string;
}

/** First argument of every verb that reads a tenant's rows. */
export interface Context {
  app: AppRef;
  workspace: WorkspaceRef;
  actor: Actor;
  db: Db;
  requestId: string;
  /** Counts requests against the workspace's quota; `unmetered` for people and the service itself. */
  meter: Meter;
}

/** First argument of verbs about a workspace itself: its people, its plan, its audit log. */
export interface WorkspaceContext {
  workspace: { id: string; name: string; plan: Plan };
  actor: UserActor;
  role: Role;
  db: Db;
}
