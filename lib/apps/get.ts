import { and, eq } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import type { App } from "./record";

/** One app of a workspace; another workspace's app is as unknown as none. Throws NOT_FOUND. */
export async function getApp(db: Db, workspaceId: string, appId: string): Promise<App> {
  const [app] = await db.orm
    .select()
    .from(apps)
    .where(and(eq(apps.workspaceId, workspaceId), eq(apps.id, appId)));
  return app ?? fail("NOT_FOUND", "There is no such app");
}
