import { and, count, eq, inArray, isNull } from "drizzle-orm";
import type { App } from "@/lib/apps/record";
import type { Db } from "@/lib/db/client";
import { apiKeys, apps, campaigns } from "@/lib/db/schema";

export interface AppSummary {
  app: App;
  /** Keys that were not revoked or rotated. */
  keys: number;
  activeCampaigns: number;
}

/** The apps of these workspaces with what hangs on them, the oldest first. */
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
