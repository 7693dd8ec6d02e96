import type { z } from "zod";
import type { Role } from "@/lib/contract/workspace";
import { env } from "@/lib/platform/env";

/**
 * The callers who may use an action or download. Every frame attaches the rule to the function that it returns, where the
 * matrix test reads it. `role` is the lowest sufficient role in the workspace.
 */
export type AccessRule = Traits &
  ({ in: "anywhere" } | { in: "account" } | { in: "workspace"; role: Role } | { in: "app"; role: Role });

interface Traits {
  schema?: z.ZodType;
  readOnly?: boolean;
  /** Whether its response is the same for success and failure. */
  hidesOutcome?: boolean;
}

/** An action or handler with its access rule. */
export type Guarded<Made> = Made & { readonly access: AccessRule };

/** Attaches an access rule to an action or handler. */
export function guarded<Made extends object>(access: AccessRule, made: Made): Guarded<Made> {
  return Object.assign(made, { access });
}

/**
 * Whether a request was sent by a page of this site: its Origin is APP_URL, or another host that it was sent to. Without
 * an Origin the browser's Sec-Fetch-Site decides.
 */
export function fromOurPage(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  const app = new URL(env().APP_URL);
  // An unencrypted page of our own host may come from an attacker in between.
  return host === app.host ? origin === app.origin : host === headers.get("host");
}
