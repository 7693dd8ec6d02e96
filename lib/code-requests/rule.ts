import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { changesOf } from "@/lib/audit/changes";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { refillInput } from "@/lib/contract/code-request";
import { refillRules } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { getPool } from "@/lib/pools/get";
import { offerForPool } from "./find-offer";
import { rearmRefill } from "./stop-refill";

type Rule = typeof refillRules.$inferSelect;

const one = (ctx: Context, poolId: string) =>
  and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId));

async function findRule(ctx: Context, poolId: string): Promise<Rule | undefined> {
  const [rule] = await ctx.db.orm.select().from(refillRules).where(one(ctx, poolId)).for("update");
  return rule;
}

/** What of a rule its owner sets. */
function settingsOf({ offerName, threshold, amount, quarterCap, validDays, enabled }: Rule) {
  return { offerName, threshold, amount, quarterCap, validDays, enabled };
}

async function audit(ctx: Context, poolId: string, done: string, before?: Rule, after?: Rule): Promise<void> {
  const { name } = await getPool(ctx, poolId);
  const changes = changesOf(before ? settingsOf(before) : {}, after ? settingsOf(after) : {});
  const entry = { action: `refill.${done}`, subject: "pool", subjectId: poolId, subjectName: name };
  await recordAudit(ctx.db, ctx, { ...entry, ...changes });
}

/** Has a pool fill itself up, or changes how, and switches it on. Throws VALIDATION_ERROR, NOT_FOUND. */
export async function saveRefill(ctx: Context, input: z.input<typeof refillInput>): Promise<void> {
  const { poolId, offer, ...numbers } = parseInput(refillInput, input);
  if (numbers.quarterCap < numbers.amount) {
    fail("VALIDATION_ERROR", "quarterCap must be at least one refill", { field: "quarterCap" });
  }
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const found = await offerForPool(scope, offer, poolId);
    const before = await findRule(scope, poolId);
    const values = {
      offerType: found.type,
      offerId: found.id,
      offerName: found.name,
      ...numbers,
      enabled: true,
    };
    await db.orm
      .insert(refillRules)
      .values({ ...values, appId: ctx.app.id, poolId })
      .onConflictDoUpdate({ target: [refillRules.appId, refillRules.poolId], set: values });
    await rearmRefill(scope, poolId);
    await audit(scope, poolId, before ? "changed" : "set", before, await findRule(scope, poolId));
  });
}

/** Switches a pool's refill off, or on again after it was stopped. Throws NOT_FOUND. */
export async function switchRefill(ctx: Context, poolId: string, enabled: boolean): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const before = await findRule(scope, poolId);
    if (!before) return fail("NOT_FOUND", "This pool is not filled up by itself");
    await db.orm.update(refillRules).set({ enabled }).where(one(ctx, poolId));
    await rearmRefill(scope, poolId);
    await audit(scope, poolId, enabled ? "switched_on" : "switched_off", before, { ...before, enabled });
  });
}

/** Ends a pool's refill for good. What was asked for still comes. Throws NOT_FOUND. */
export async function removeRefill(ctx: Context, poolId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const before = await findRule(scope, poolId);
    if (!before) return fail("NOT_FOUND", "This pool is not filled up by itself");
    await db.orm.delete(refillRules).where(one(ctx, poolId));
    await audit(scope, poolId, "removed", before);
  });
}
