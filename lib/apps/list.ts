import { asc, eq } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import type { App } from "./record";

/** A workspace's apps, the oldest first. */
export async function listApps(db: Db, workspaceId: string): Promise<App[]> {
  return db.orm.select().from(apps).where(eq(apps.workspaceId, workspaceId)).orderBy(asc(apps.id));
}
