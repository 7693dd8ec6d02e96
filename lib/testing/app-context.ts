import { and, eq } from "drizzle-orm";
import { systemContext } from "@/lib/apps/system-context";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";

/** The service itself in an app that another process has made. */
export async function contextOfApp(db: Db, workspaceId: string, appId: string): Promise<Context> {
  const [app] = await db.orm
    .select()
    .from(apps)
    .where(and(eq(apps.workspaceId, workspaceId), eq(apps.id, appId)));
  if (!app) throw new Error(`no app ${appId}`);
  return systemContext(db, app);
}
