import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { apps, invitations, memberships, quotaUsage, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { workspaceSubject } from "./create";
import { requireTypedName, withLockedTeam } from "./lock";

export const deleteWorkspaceInput = z.object({
  confirm: z.string({ error: "Type the name of the workspace" }),
});

/**
 * Deletes a workspace without apps, with its memberships, invitations and usage. Its audit log stays for the operator.
 * `confirm` is the workspace's name as typed. Throws VALIDATION_ERROR, and CONFLICT while it has apps.
 */
export function deleteWorkspace(
  ctx: WorkspaceContext,
  { confirm }: z.output<typeof deleteWorkspaceInput>,
): Promise<void> {
  return withLockedTeam(ctx, "owner", async (own) => {
    const { db, workspace } = own;
    requireTypedName(own, confirm);
    const [app] = await db.orm
      .select({ name: apps.name })
      .from(apps)
      .where(and(eq(apps.workspaceId, workspace.id), isNull(apps.deletedAt)))
      .limit(1);
    if (app) fail("CONFLICT", `The workspace still has the app ${app.name}. Delete its apps first`);
    for (const table of [memberships, invitations, quotaUsage]) {
      await db.orm.delete(table).where(eq(table.workspaceId, workspace.id));
    }
    await db.orm.delete(workspaces).where(eq(workspaces.id, workspace.id));
    await recordAudit(db, own, { action: "workspace.deleted", ...workspaceSubject(workspace) });
  });
}
