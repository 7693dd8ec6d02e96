import { and, eq, gt, sql } from "drizzle-orm";
import type { z } from "zod";
import { type KeyLimit, keyLimitTexts } from "@/lib/contract/api-key";
import { keysOf, pick } from "@/lib/contract/pick";
import { apiKeys, keyLimitRefusals, keyUsageDays } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { keySubject } from "./create";
import { isLive, keyInput } from "./lifecycle";
import { forgetKey } from "./verify";

export const keyLimitsInput = keyInput.extend(keyLimitTexts);

/** The day of a budget, as `take_budget` counts it. */
export const budgetDay = sql`(now() at time zone 'utc')::date`;

const refusalsOf = (ctx: Context, id: string) =>
  and(eq(keyLimitRefusals.appId, ctx.app.id), eq(keyLimitRefusals.keyId, id));

/** The limits that a setting bounds: with another value they count from zero, or refuse no more. */
const REFUSING: Record<"dailyBudget" | "addressCap", KeyLimit[]> = {
  dailyBudget: ["daily_budget"],
  addressCap: ["codes_per_address", "referrers_per_address"],
};

/** Ends limits by rows without a refusal: for ten seconds, other machines' refusals by the old values do not count. */
async function noteChange(ctx: Context, keyId: string, changed: KeyLimit[]): Promise<void> {
  const row = {
    appId: ctx.app.id,
    keyId,
    refused: 0,
    since: sql`now()`,
    lastAt: sql`now()`,
    until: sql`now()`,
  };
  const now = sql`excluded.last_at`;
  const { appId, keyId: key, limit: name } = keyLimitRefusals;
  await ctx.db.orm
    .insert(keyLimitRefusals)
    .values(changed.sort().map((limit) => ({ ...row, limit })))
    .onConflictDoUpdate({
      target: [appId, key, name],
      set: { refused: 0, since: now, lastAt: now, until: now },
    });
}

/** Sets the limits of a working key. Throws NOT_FOUND for a revoked one and for one of another app, CONFLICT. */
export async function updateKeyLimits(ctx: Context, input: z.output<typeof keyLimitsInput>): Promise<void> {
  const { keyId: id, dailyBudget = null, addressCap = null } = input;
  await ctx.db.transaction(async (db) => {
    const [key] = await db.orm.select().from(apiKeys).where(isLive(ctx, id)).for("update");
    if (!key) return fail("NOT_FOUND", "There is no such API key");
    const stored = pick(key, ["dailyBudget", "addressCap"]);
    await refuseUndoing({ ...ctx, db }, id, stored, { dailyBudget, addressCap });
    const { before, after } = changesOf(stored, { dailyBudget, addressCap });
    if (Object.keys(after).length === 0) return;
    await db.orm.update(apiKeys).set(after).where(isLive(ctx, id));
    await noteChange(
      { ...ctx, db },
      id,
      keysOf(REFUSING).flatMap((name) => (name in after ? REFUSING[name] : [])),
    );
    await recordAudit(db, ctx, {
      action: "api_key.limits_changed",
      ...keySubject(id, key.name),
      before,
      after,
    });
  });
  await forgetKey(id);
}

/**
 * Ends every limit that is in force for a key, the used-up budget of today included: all count from zero again, here at
 * once and on other machines within 5 seconds. Throws NOT_FOUND for a revoked key and for one of another app.
 */
export async function liftKeyLimits(ctx: Context, input: z.output<typeof keyInput>): Promise<void> {
  const id = input.keyId;
  await ctx.db.transaction(async (db) => {
    const [key] = await db.orm
      .update(apiKeys)
      .set({ limitsLiftedAt: sql`now()` })
      .where(isLive(ctx, id))
      .returning({ name: apiKeys.name });
    if (!key) return fail("NOT_FOUND", "There is no such API key");
    const ended = await db.orm
      .delete(keyLimitRefusals)
      .where(and(refusalsOf(ctx, id), gt(keyLimitRefusals.refused, 0)))
      .returning({ limit: keyLimitRefusals.limit });
    const { appId, keyId, day } = keyUsageDays;
    await db.orm
      .update(keyUsageDays)
      .set({ budgetTaken: 0 })
      .where(and(eq(appId, ctx.app.id), eq(keyId, id), eq(day, budgetDay)));
    await recordAudit(db, ctx, {
      action: "api_key.limits_lifted",
      ...keySubject(id, key.name),
      before: { limits: ended.map(({ limit }) => limit) },
    });
  });
  await forgetKey(id);
}
