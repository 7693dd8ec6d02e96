import { eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Plan } from "@/lib/contract/plan";
import type { Db } from "@/lib/db/client";
import { workspaces } from "@/lib/db/schema";
import { lockWorkspace } from "./lock";
import { workspaceSubject } from "./open";

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
  await db.transaction(async (tx) => {
    const { name, ...before } = await lockWorkspace(tx, workspaceId, `There is no workspace ${workspaceId}`);
    const after = { plan, quotaOverride: quotaOverride ?? null };
    await tx.orm.update(workspaces).set(after).where(eq(workspaces.id, workspaceId));
    await recordAudit(
      tx,
      { workspace: { id: workspaceId }, actor: { kind: "system" } },
      {
        action: "workspace.plan_changed",
        ...workspaceSubject({ id: workspaceId, name }),
        before: { plan: before.plan, quotaOverride: before.quotaOverride },
        after,
      },
    );
  });
}
