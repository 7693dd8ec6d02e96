import { and, asc, count, eq, inArray, isNull } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apiKeys, apps, campaigns } from "@/lib/platform/db/schema";
import type { App } from "@/lib/tenants/apps/app";

export interface AppSummary {
  app: App;
  /** Keys that were neither revoked nor rotated. */
  keys: number;
  activeCampaigns: number;
}

/** The apps of these workspaces with their numbers of keys and active campaigns, oldest first. */
export async function listAppSummaries(db: Db, workspaceIds: readonly string[]): Promise<AppSummary[]> {
  if (workspaceIds.length === 0) return [];
  const found = await db.orm
    .select()
    .from(apps)
    .where(and(inArray(apps.workspaceId, [...workspaceIds]), isNull(apps.deletedAt)))
    .orderBy(apps.id);
  const ids = found.map((app) => app.id);
  if (ids.length === 0) return [];
  const [keys, running] = await Promise.all([countKeys(db, ids), countCampaigns(db, ids)]);
  return found.map((app) => ({
    app,
    keys: keys.get(app.id) ?? 0,
    activeCampaigns: running.get(app.id) ?? 0,
  }));
}

async function countKeys(db: Db, appIds: string[]): Promise<Map<string, number>> {
  const rows = await db.orm
    .select({ appId: apiKeys.appId, number: count() })
    .from(apiKeys)
    .where(and(inArray(apiKeys.appId, appIds), isNull(apiKeys.revokedAt), isNull(apiKeys.expiresAt)))
    .groupBy(apiKeys.appId);
  return new Map(rows.map((row) => [row.appId, row.number]));
}

async function countCampaigns(db: Db, appIds: string[]): Promise<Map<string, number>> {
  const rows = await db.orm
    .select({ appId: campaigns.appId, number: count() })
    .from(campaigns)
    .where(and(inArray(campaigns.appId, appIds), eq(campaigns.status, "active")))
    .groupBy(campaigns.appId);
  return new Map(rows.map((row) => [row.appId, row.number]));
}

interface AppName {
  id: string;
  name: string;
  sandbox: boolean;
  workspaceId: string;
}

/** A menu has no room for more; the list of apps shows all. */
const MENU_ROWS = 200;

/** The names of the apps of these workspaces, sorted, for menus. */
export async function listAppNames(db: Db, workspaceIds: string[]): Promise<AppName[]> {
  if (workspaceIds.length === 0) return [];
  return db.orm
    .select({ id: apps.id, name: apps.name, sandbox: apps.sandbox, workspaceId: apps.workspaceId })
    .from(apps)
    .where(and(inArray(apps.workspaceId, workspaceIds), isNull(apps.deletedAt)))
    .orderBy(asc(apps.workspaceId), asc(apps.name))
    .limit(MENU_ROWS);
}
