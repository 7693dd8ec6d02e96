import { eq } from "drizzle-orm";
import { z } from "zod";
import { nameField } from "@/lib/contract/fields";
import type { Plan } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { workspaces } from "@/lib/platform/db/schema";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { limitOf } from "@/lib/tenants/quota/plans";
import { endSolvedAlerts } from "@/lib/tenants/quota/usage";
import { workspaceSubject } from "./create";
import { lockWorkspace, withLockedTeam } from "./lock";

export const workspaceNameInput = z.object({ name: nameField("name") });

/** Renames the workspace. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
export function updateWorkspaceName(
  ctx: WorkspaceContext,
  { name }: z.output<typeof workspaceNameInput>,
): Promise<void> {
  return withLockedTeam(ctx, "admin", async (own) => {
    const { db, workspace } = own;
    await refuseUndoing(own, workspace.id, { name: workspace.name }, { name });
    if (workspace.name === name) return;
    await db.orm.update(workspaces).set({ name }).where(eq(workspaces.id, workspace.id));
    await recordAudit(db, own, {
      action: "workspace.renamed",
      ...workspaceSubject({ id: workspace.id, name }),
      before: { name: workspace.name },
      after: { name },
    });
  });
}

/**
 * Moves a workspace to a plan; for the operator. Without `quotaOverride` the plan's own quota applies, even if an
 * earlier call set another one. Throws NOT_FOUND.
 */
export async function updatePlan(
  db: Db,
  workspaceId: string,
  plan: Plan,
  quotaOverride?: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { name, ...before } = await lockWorkspace(tx, workspaceId, `There is no workspace ${workspaceId}`);
    const after = { plan, quotaOverride: quotaOverride ?? null };
    await tx.orm.update(workspaces).set(after).where(eq(workspaces.id, workspaceId));
    await endSolvedAlerts(tx, workspaceId, { limit: limitOf(after), former: limitOf(before) });
    const where = { workspace: { id: workspaceId }, actor: { kind: "system" } } as const;
    await recordAudit(tx, where, {
      action: "workspace.plan_changed",
      ...workspaceSubject({ id: workspaceId, name }),
      before: { plan: before.plan, quotaOverride: before.quotaOverride },
      after,
    });
  });
}
