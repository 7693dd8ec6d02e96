import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { KeySummary } from "@/lib/contract/api-key";
import { isoDay } from "@/lib/contract/format";
import { apiKeys, apiKeyUses, keyLimitRefusals, keyUsageDays } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

/** Every key of the app, newest first. */
export async function listKeys(ctx: Context): Promise<KeySummary[]> {
  const { appId, keyId, day, budgetTaken } = keyUsageDays;
  const today = and(eq(appId, apiKeys.appId), eq(keyId, apiKeys.id), eq(day, isoDay(Date.now())));
  const rows = await ctx.db.orm
    .select({ key: apiKeys, lastUsedAt: apiKeyUses.lastUsedAt, budgetTaken })
    .from(apiKeys)
    .leftJoin(apiKeyUses, and(eq(apiKeyUses.appId, apiKeys.appId), eq(apiKeyUses.keyId, apiKeys.id)))
    .leftJoin(keyUsageDays, today)
    .where(eq(apiKeys.appId, ctx.app.id))
    .orderBy(desc(apiKeys.id));
  const inForce = await limitsInForce(ctx);
  return rows.map(({ key, lastUsedAt, budgetTaken: used }) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    lastFour: key.lastFour,
    scopes: key.scopes,
    createdAt: key.createdAt,
    lastUsedAt,
    expiresAt: key.expiresAt,
    state: keyState(key.revokedAt, key.expiresAt),
    dailyBudget: key.dailyBudget,
    budgetUsed: used ?? 0,
    addressCap: key.addressCap,
    limitsInForce: inForce
      .filter(({ keyId: id }) => id === key.id)
      .map(({ limit, refused, since, until }) => ({ limit, refused, since, until })),
  }));
}

/** The limits that refuse requests of the app's keys now. */
export function limitsInForce({ db, app }: Pick<Context, "db" | "app">) {
  const { appId, keyId, limit, until } = keyLimitRefusals;
  return db.orm
    .select()
    .from(keyLimitRefusals)
    .where(and(eq(appId, app.id), gt(until, sql`now()`)))
    .orderBy(keyId, limit);
}

function keyState(revokedAt: Date | null, expiresAt: Date | null): KeySummary["state"] {
  if (revokedAt) return "revoked";
  if (!expiresAt) return "active";
  return expiresAt.getTime() > Date.now() ? "expiring" : "expired";
}
