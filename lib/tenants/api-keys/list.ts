import { and, desc, eq, gt, isNull, not, or, sql } from "drizzle-orm";
import type { KeySummary } from "@/lib/contract/api-key";
import { apiKeys, apiKeyUses, keyLimitRefusals, keyUsageDays } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { budgetDay } from "./limits";
import { hasExpired } from "./verify";

/** Every key of the app, newest first. */
export async function listKeys(ctx: Context): Promise<KeySummary[]> {
  const { appId, keyId, day, budgetTaken } = keyUsageDays;
  const today = and(eq(appId, apiKeys.appId), eq(keyId, apiKeys.id), eq(day, budgetDay));
  const rows = await ctx.db.orm
    .select({ key: apiKeys, expired: hasExpired, lastUsedAt: apiKeyUses.lastUsedAt, budgetTaken })
    .from(apiKeys)
    .leftJoin(apiKeyUses, and(eq(apiKeyUses.appId, apiKeys.appId), eq(apiKeyUses.keyId, apiKeys.id)))
    .leftJoin(keyUsageDays, today)
    .where(eq(apiKeys.appId, ctx.app.id))
    .orderBy(desc(apiKeys.id));
  const inForce = await limitsInForce(ctx);
  return rows.map(({ key, expired, lastUsedAt, budgetTaken: used }) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    lastFour: key.lastFour,
    scopes: key.scopes,
    createdAt: key.createdAt,
    lastUsedAt,
    expiresAt: key.expiresAt,
    state: keyState(key, expired),
    dailyBudget: key.dailyBudget,
    budgetUsed: used ?? 0,
    addressCap: key.addressCap,
    limitsInForce: inForce
      .filter(({ keyId: id }) => id === key.id)
      .map(({ limit, refused, since, until }) => ({ limit, refused, since, until })),
  }));
}

/** Limits in force on working keys, bursts for `burstsFor`; ignores 10 s after a lift, as other machines lag by 5 s. */
export async function limitsInForce({ db, app }: Pick<Context, "db" | "app">, burstsFor = "0") {
  const { appId, keyId, limit, until, lastAt } = keyLimitRefusals;
  const { limitsLiftedAt, revokedAt } = apiKeys;
  const lifted = sql`coalesce(${limitsLiftedAt} + interval '10 seconds', '-infinity')`;
  const burst = and(eq(limit, "burst"), gt(lastAt, sql`now() - ${burstsFor}::interval`));
  const works = and(isNull(revokedAt), not(hasExpired));
  const rows = await db.orm
    .select({ refusals: keyLimitRefusals })
    .from(keyLimitRefusals)
    .innerJoin(apiKeys, and(eq(apiKeys.appId, appId), eq(apiKeys.id, keyId)))
    .where(and(eq(appId, app.id), or(gt(until, sql`now()`), burst), gt(lastAt, lifted), works))
    .orderBy(keyId, limit);
  return rows.map(({ refusals }) => refusals);
}

function keyState(key: typeof apiKeys.$inferSelect, expired: boolean): KeySummary["state"] {
  if (key.revokedAt) return "revoked";
  if (!key.expiresAt) return "active";
  return expired ? "expired" : "expiring";
}
