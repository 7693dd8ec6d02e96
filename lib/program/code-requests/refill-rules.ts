import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { AuditAction } from "@/lib/contract/audit";
import { REFILL_SETTINGS, refillInput, refillSettingOf, refillSettings } from "@/lib/contract/code-request";
import { pick } from "@/lib/contract/pick";
import { MAX_OFFERS } from "@/lib/contract/pool";
import { type LaterOffer, pools, refillRules } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { resumeRefill } from "@/lib/program/app-store-connect/refill-status";
import { getPool, ownPool, poolSubject } from "@/lib/program/pools/get";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { batchOffer, getOfferForPool } from "./offers";
import { refuseWasted } from "./refill";

type RefillRule = typeof refillRules.$inferSelect;

const ruleOf = (ctx: Context, poolId: string) =>
  and(eq(refillRules.appId, ctx.app.id), eq(refillRules.poolId, poolId));

async function lockRule(ctx: Context, poolId: string): Promise<RefillRule | undefined> {
  const [rule] = await ctx.db.orm.select().from(refillRules).where(ruleOf(ctx, poolId)).for("update");
  return rule;
}

const settingsOf = (rule: RefillRule | undefined) => (rule ? pick(rule, REFILL_SETTINGS) : {});

async function recordRuleAudit(
  ctx: Context,
  poolId: string,
  action: AuditAction,
  before?: RefillRule,
  after?: RefillRule,
): Promise<void> {
  await recordAudit(ctx.db, ctx, {
    action,
    ...poolSubject(await getPool(ctx, poolId)),
    ...changesOf(settingsOf(before), settingsOf(after)),
  });
}

/** Creates or updates the refill rule of a pool, and enables it. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT. */
export async function updateRefillRule(ctx: Context, input: z.input<typeof refillInput>): Promise<void> {
  const { poolId, offer, laterOffers, ...numbers } = parseInput(refillInput, input);
  if (numbers.quarterCap < numbers.amount) {
    fail("VALIDATION_ERROR", "quarterCap must be at least one refill", { field: "quarterCap" });
  }
  await refuseWasted(ctx, poolId, numbers.validDays);
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const { type, id, name } = await getOfferForPool(scope, offer, poolId);
    const later: LaterOffer[] = [];
    for (const next of laterOffers) {
      later.push(pick(await getOfferForPool(scope, next, poolId, "laterOffers"), ["type", "id", "name"]));
    }
    // Locks the pool's row, because a new rule has no row to lock.
    await db.orm.select({ id: pools.id }).from(pools).where(ownPool(ctx, poolId)).for("no key update");
    const before = await lockRule(scope, poolId);
    const offers = { offerType: type, offerId: id, offerName: name, laterOffers: later };
    const values = { ...offers, ...numbers, enabled: true };
    await refuseUndoing(scope, poolId, refillSettings(before), refillSettings(values), refillSettingOf);
    await orderOffers(scope, poolId, [name, ...later.map((next) => next.name)]);
    await db.orm
      .insert(refillRules)
      .values({ ...values, appId: ctx.app.id, poolId })
      .onConflictDoUpdate({ target: [refillRules.appId, refillRules.poolId], set: values });
    await resumeRefill(scope, poolId);
    const action = before ? "refill.changed" : "refill.set";
    await recordRuleAudit(scope, poolId, action, before, await lockRule(scope, poolId));
  });
}

/** Puts the offers of a refill with several first in the pool's order, and drops the last names over the maximum. */
async function orderOffers(ctx: Context, poolId: string, refilled: string[]): Promise<void> {
  if (refilled.length === 1) return;
  const { offers } = await getPool(ctx, poolId);
  const names = refilled.map(batchOffer);
  await ctx.db.orm
    .update(pools)
    .set({ offers: [...names, ...offers.filter((offer) => !names.includes(offer))].slice(0, MAX_OFFERS) })
    .where(ownPool(ctx, poolId));
}

/** Runs a change of the pool's rule with its row locked. Throws NOT_FOUND. */
async function withRule(
  ctx: Context,
  poolId: string,
  work: (scope: Context, rule: RefillRule) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const rule = await lockRule(scope, poolId);
    if (!rule) return fail("NOT_FOUND", "This pool has no refill rule");
    await work(scope, rule);
  });
}

/** Enables a pool's refill, also after it was stopped. Throws NOT_FOUND. */
export async function enableRefill(ctx: Context, poolId: string): Promise<void> {
  await withRule(ctx, poolId, async (scope, rule) => {
    await scope.db.orm.update(refillRules).set({ enabled: true }).where(ruleOf(ctx, poolId));
    await resumeRefill(scope, poolId);
    await recordRuleAudit(scope, poolId, "refill.switched_on", rule, { ...rule, enabled: true });
  });
}

/** Disables a pool's refill until it is enabled again. Throws NOT_FOUND. */
export async function disableRefill(ctx: Context, poolId: string): Promise<void> {
  await withRule(ctx, poolId, async (scope, rule) => {
    await scope.db.orm.update(refillRules).set({ enabled: false }).where(ruleOf(ctx, poolId));
    await resumeRefill(scope, poolId);
    await recordRuleAudit(scope, poolId, "refill.switched_off", rule, { ...rule, enabled: false });
  });
}

/** Deletes a pool's refill rule. Codes already requested still arrive. Throws NOT_FOUND. */
export async function deleteRefillRule(ctx: Context, poolId: string): Promise<void> {
  await withRule(ctx, poolId, async (scope, rule) => {
    await scope.db.orm.delete(refillRules).where(ruleOf(ctx, poolId));
    await recordRuleAudit(scope, poolId, "refill.removed", rule);
  });
}
