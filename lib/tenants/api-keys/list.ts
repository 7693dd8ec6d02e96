import { and, desc, eq } from "drizzle-orm";
import type { KeySummary } from "@/lib/contract/api-key";
import type { Context } from "@/lib/platform/context";
import { apiKeys, apiKeyUses } from "@/lib/platform/db/schema";

/** Every key of the app, newest first. */
export async function listKeys(ctx: Context): Promise<KeySummary[]> {
  const rows = await ctx.db.orm
    .select({ key: apiKeys, lastUsedAt: apiKeyUses.lastUsedAt })
    .from(apiKeys)
    .leftJoin(apiKeyUses, and(eq(apiKeyUses.appId, apiKeys.appId), eq(apiKeyUses.keyId, apiKeys.id)))
    .where(eq(apiKeys.appId, ctx.app.id))
    .orderBy(desc(apiKeys.id));
  return rows.map(({ key, lastUsedAt }) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    lastFour: key.lastFour,
    scopes: key.scopes,
    createdAt: key.createdAt,
    lastUsedAt,
    expiresAt: key.expiresAt,
    state: keyState(key.revokedAt, key.expiresAt),
  }));
}

function keyState(revokedAt: Date | null, expiresAt: Date | null): KeySummary["state"] {
  if (revokedAt) return "revoked";
  if (!expiresAt) return "active";
  return expiresAt.getTime() > Date.now() ? "expiring" : "expired";
}
