import type { z } from "zod";
import type { Role } from "@/lib/contract/roles";

/**
 * Whom an action or download serves; every frame writes it on what it makes, and the test over all of them reads it.
 * `role` is the least one in the workspace or in the app's workspace.
 */
export type Needs = Traits &
  ({ in: "anywhere" } | { in: "account" } | { in: "workspace"; role: Role } | { in: "app"; role: Role });

interface Traits {
  schema?: z.ZodType;
  /** It changes nothing. */
  reads?: boolean;
  /** It says nothing of how it went. */
  silent?: boolean;
}

/** What a frame made, with what it needs. */
export type Framed<Made> = Made & { readonly needs: Needs };

/** Writes on an action or handler what it needs. */
export function framed<Made extends object>(needs: Needs, made: Made): Framed<Made> {
  return Object.assign(made, { needs });
}
