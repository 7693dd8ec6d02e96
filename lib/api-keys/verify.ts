import { eq } from "drizzle-orm";
import { appRef } from "@/lib/apps/ref";
import type { Scope } from "@/lib/contract/scopes";
import type { Db } from "@/lib/db/client";
import { apiKeys, apps, workspaces } from "@/lib/db/schema";
import { limitOf } from "@/lib/quota/limit";
import { keyCache } from "./cache";
import type { KeyRecord } from "./record";
import { hashKey, isKeyText } from "./text";

/**
 * The record of a key that may be used now, or undefined for a missing, malformed, unknown, expired or revoked one.
 * Junk is refused by its checksum without a look-up; a real key is looked up once in 5 seconds and process.
 */
export async function verifyKey(db: Db, text: string | null): Promise<KeyRecord | undefined> {
  if (text === null || !isKeyText(text)) return undefined;
  const hash = hashKey(text);
  const record = await keyCache().get(hash.toString("base64"), () => loadKey(db, hash));
  if (!record || (record.expiresAt !== null && record.expiresAt <= Date.now())) return undefined;
  return record;
}

async function loadKey(db: Db, hash: Buffer): Promise<KeyRecord | undefined> {
  const [row] = await db.orm
    .select({ key: apiKeys, app: apps, workspace: workspaces })
    .from(apiKeys)
    .innerJoin(apps, eq(apps.id, apiKeys.appId))
    .innerJoin(workspaces, eq(workspaces.id, apps.workspaceId))
    .where(eq(apiKeys.keyHash, hash));
  if (!row || row.key.revokedAt || row.app.deletedAt) return undefined;
  return {
    id: row.key.id,
    scopes: row.key.scopes as Scope[],
    app: appRef(row.app),
    workspaceId: row.workspace.id,
    quota: limitOf(row.workspace),
    expiresAt: row.key.expiresAt?.getTime() ?? null,
  };
}
