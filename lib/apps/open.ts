import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import type { AppInput } from "@/lib/contract/app";
import { keepWorkspace } from "@/lib/workspaces/lock";
import { createApp } from "./create";
import type { App } from "./record";

/** Makes an app in the person's workspace. Throws VALIDATION_ERROR, and NOT_FOUND where the workspace has just gone. */
export function openApp(ctx: WorkspaceContext, input: AppInput): Promise<App> {
  return ctx.db.transaction(async (db) => {
    await keepWorkspace(db, ctx.workspace.id);
    const app = await createApp(db, ctx.workspace.id, input);
    const { id, name, sandbox, appleAppId, androidPackage } = app;
    const after = { name, sandbox, appleAppId, androidPackage };
    const entry = { action: "app.created", subject: "app", subjectId: id, subjectName: name, after };
    await recordAudit(db, { ...ctx, app: { id } }, entry);
    return app;
  });
}
