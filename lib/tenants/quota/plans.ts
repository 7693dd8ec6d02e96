import type { Plan } from "@/lib/contract/workspace";
import type { workspaces } from "@/lib/platform/db/schema";

/** Requests per month (section 8). Enterprise starts with this number and is then set per workspace. */
export const PLAN_QUOTA: Readonly<Record<Plan, number>> = {
  free: 1_000,
  basic: 10_000,
  pro: 100_000,
  enterprise: 10_000_000,
};

/** The plans that have custom scopes and read-only keys (section 5). */
export const CUSTOM_SCOPE_PLANS: readonly Plan[] = ["pro", "enterprise"];

type PlanOfWorkspace = Pick<typeof workspaces.$inferSelect, "plan" | "quotaOverride">;

/** Requests per month of a workspace: the operator's override, else the plan's. */
export function limitOf({ plan, quotaOverride }: PlanOfWorkspace): number {
  return quotaOverride ?? PLAN_QUOTA[plan];
}

/** The daily budget of a new key for phones: a tenth of the month, so a thief of the key cannot use it up in a day. */
export function phoneBudgetOf(workspace: PlanOfWorkspace): number | null {
  return workspace.plan === "enterprise" ? null : Math.max(100, Math.floor(limitOf(workspace) / 10));
}
