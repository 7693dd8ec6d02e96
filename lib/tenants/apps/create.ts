import { and, eq, isNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { type AppInput, appInput, DEFAULT_REFERRER_CAP } from "@/lib/contract/app";
import { formatNumber } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
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

/** Maximum apps of a workspace. Parallel requests may exceed this limit, and every similar one, by a few. */
const MAX_APPS = 1_000;

/**
 * Creates an app in the user's workspace, with an icon as `updateIcon` takes it. Throws VALIDATION_ERROR, NOT_FOUND
 * for a deleted workspace, and CONFLICT beyond {@link MAX_APPS}.
 */
export async function createApp(ctx: WorkspaceContext, input: AppInput, icon?: string): Promise<App> {
  const picture = icon === undefined ? null : await cleanIcon(icon);
  return ctx.db.transaction(async (db) => {
    await lockWorkspaceShared(db, ctx.workspace.id);
    const live = and(eq(apps.workspaceId, ctx.workspace.id), isNull(apps.deletedAt));
    if ((await db.orm.$count(apps, live)) >= MAX_APPS)
      fail("CONFLICT", `A workspace can have at most ${formatNumber(MAX_APPS)} apps`);
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
