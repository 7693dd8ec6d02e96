import type { z } from "zod";
import type { Role } from "@/lib/contract/workspace";

/**
 * The callers who may use an action or download. Every frame attaches it to the function that it makes, and the matrix test reads it
 * there. `role` is the lowest sufficient role in the workspace.
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
