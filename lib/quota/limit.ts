import type { workspaces } from "@/lib/db/schema";
import { PLAN_QUOTA } from "./plans";

/** Requests a month of a workspace: what the operator set for it, else what its plan has. */
export function limitOf({
  plan,
  quotaOverride,
}: Pick<typeof workspaces.$inferSelect, "plan" | "quotaOverride">): number {
  return quotaOverride ?? PLAN_QUOTA[plan];
}
