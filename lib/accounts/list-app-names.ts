import { and, asc, inArray, isNull } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";

interface AppName {
  id: string;
  name: string;
  sandbox: boolean;
  workspaceId: string;
}

/** As many as a menu can show; the list of apps has all. */
const MENU_ROWS = 200;

/** The apps of some workspaces by name, for menus. */
export async function listAppNames(db: Db, workspaceIds: string[]): Promise<AppName[]> {
  if (workspaceIds.length === 0) return [];
  return db.orm
    .select({ id: apps.id, name: apps.name, sandbox: apps.sandbox, workspaceId: apps.workspaceId })
    .from(apps)
    .where(and(inArray(apps.workspaceId, workspaceIds), isNull(apps.deletedAt)))
    .orderBy(asc(apps.workspaceId), asc(apps.name))
    .limit(MENU_ROWS);
}
