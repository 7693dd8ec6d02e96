import type { Plan } from "@/lib/contract/plan";

/** Requests a month (section 8). Enterprise is set per workspace; this is what it starts with. */
export const PLAN_QUOTA: Readonly<Record<Plan, number>> = {
  free: 1_000,
  basic: 10_000,
  pro: 100_000,
  enterprise: 10_000_000,
};

/** Custom scopes and read-only keys exist on these plans only (section 5). */
export const CUSTOM_SCOPE_PLANS: readonly Plan[] = ["pro", "enterprise"];
