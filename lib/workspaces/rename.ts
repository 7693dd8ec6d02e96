import { eq } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { nameField } from "@/lib/contract/name";
import { workspaces } from "@/lib/db/schema";
import { changeTeam } from "./lock";
import { workspaceSubject } from "./open";

export const renameInput = z.object({ name: nameField("name") });

/** Gives the workspace another name. */
export function renameWorkspace(
  ctx: WorkspaceContext,
  { name }: z.output<typeof renameInput>,
): Promise<void> {
  return changeTeam(ctx, "admin", async (own) => {
    const { db, workspace } = own;
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
