import { eq } from "drizzle-orm";
import type { Plan } from "@/lib/contract/plan";
import type { Db } from "@/lib/db/client";
import { workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/**
 * Puts a workspace on a plan; for the operator. Without `quotaOverride` the plan's own number of requests counts, also
 * where an earlier call set another one. Throws NOT_FOUND.
 */
export async function setPlan(
  db: Db,
  workspaceId: string,
  plan: Plan,
  quotaOverride?: number,
): Promise<void> {
  const changed = await db.orm
    .update(workspaces)
    .set({ plan, quotaOverride: quotaOverride ?? null })
    .where(eq(workspaces.id, workspaceId))
    .returning({ id: workspaces.id });
  if (changed.length === 0) fail("NOT_FOUND", `There is no workspace ${workspaceId}`);
}
