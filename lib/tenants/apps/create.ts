import { uuidv7 } from "uuidv7";
import { type AppInput, appInput, DEFAULT_REFERRER_CAP } from "@/lib/contract/app";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { lockWorkspaceShared } from "@/lib/tenants/workspaces/lock";
import { type App, appSubject } from "./app";
import { cleanIcon, replaceIcon } from "./icon";

/**
 * Inserts an app into a workspace without an audit entry. A live app starts with a cap on codes per referrer; a sandbox,
 * whose codes are worth nothing, does not. Throws VALIDATION_ERROR.
 */
export async function insertApp(
  db: Db,
  workspaceId: string,
  input: AppInput,
  id: string = uuidv7(),
): Promise<App> {
  const parsed = parseInput(appInput, input);
  const referrerDailyCap = parsed.sandbox ? null : DEFAULT_REFERRER_CAP;
  const values = { referrerDailyCap, ...parsed, id, workspaceId };
  const [row] = await db.orm.insert(apps).values(values).returning();
  return row as App;
}

/**
 * Creates an app in the user's workspace, with its icon as `updateIcon` takes it. Throws VALIDATION_ERROR, and NOT_FOUND
 * for a deleted workspace.
 */
export async function createApp(ctx: WorkspaceContext, input: AppInput, icon?: string): Promise<App> {
  const picture = icon === undefined ? null : await cleanIcon(icon);
  return ctx.db.transaction(async (db) => {
    await lockWorkspaceShared(db, ctx.workspace.id);
    const app = await insertApp(db, ctx.workspace.id, input);
    if (picture) await replaceIcon(db, app.id, picture);
    const { id, name, sandbox, appleAppId, androidPackage } = app;
    await recordAudit(
      db,
      { ...ctx, app: { id } },
      {
        action: "app.created",
        ...appSubject(app),
        after: { name, sandbox, appleAppId, androidPackage },
      },
    );
    return app;
  });
}
