import { and, eq } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { systemContext } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";

/** The system context of an app that another process created. */
export async function contextOfApp(db: Db, workspaceId: string, appId: string): Promise<Context> {
  const [app] = await db.orm
    .select()
    .from(apps)
    .where(and(eq(apps.workspaceId, workspaceId), eq(apps.id, appId)));
  if (!app) throw new Error(`no app ${appId}`);
  return systemContext(db, app);
}
