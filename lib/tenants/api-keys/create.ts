import { and, eq, isNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import {
  DEFAULT_ADDRESS_CAP,
  isForPhones,
  keyLimitFields,
  PHONE_SCOPES,
  SCOPES,
  type Scope,
} from "@/lib/contract/api-key";
import { nameField } from "@/lib/contract/fields";
import type { Plan } from "@/lib/contract/workspace";
import { apiKeys, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { CUSTOM_SCOPE_PLANS, phoneBudgetOf } from "@/lib/tenants/quota/plans";
import { generateKeyText, hashKey } from "./text";

export const createKeyInput = z.object({
  name: nameField("name"),
  scopes: z
    .array(z.enum(SCOPES, { error: `scopes must be among ${SCOPES.join(", ")}` }))
    .min(1, "Choose at least one scope")
    .default([...SCOPES]),
  ...keyLimitFields,
});

/** A new key. Its text is not stored: it exists only here. */
export interface CreatedKey {
  id: string;
  key: string;
  scopes: readonly Scope[];
}

/** Maximum keys of an app that are not revoked. */
const MAX_KEYS = 200;

/**
 * Creates a key for the app. In a live app a key for phones has a budget unless `dailyBudget` is null. Throws
 * VALIDATION_ERROR, FORBIDDEN for custom scopes on a plan without them, and CONFLICT beyond {@link MAX_KEYS}.
 */
export async function createKey(ctx: Context, input: z.input<typeof createKeyInput>): Promise<CreatedKey> {
  const { name, scopes, ...given } = parseInput(createKeyInput, input);
  const [workspace] = await ctx.db.orm.select().from(workspaces).where(eq(workspaces.id, ctx.workspace.id));
  if (![SCOPES, PHONE_SCOPES].some((preset) => isExactly(preset, scopes)))
    requireCustomScopes(workspace?.plan);
  const limits = { ...defaultLimits(ctx, scopes), ...given };
  if (limits.addressCap && workspace && given.dailyBudget === undefined)
    limits.dailyBudget = phoneBudgetOf(workspace);
  return ctx.db.transaction(async (db) => {
    const live = and(eq(apiKeys.appId, ctx.app.id), isNull(apiKeys.revokedAt));
    if ((await db.orm.$count(apiKeys, live)) >= MAX_KEYS)
      fail("CONFLICT", `An app can have at most ${MAX_KEYS} keys. Revoke one first`);
    const created = await insertKey({ ...ctx, db }, name, scopes, limits);
    await recordAudit(db, ctx, {
      action: "api_key.created",
      ...keySubject(created.id, name),
      after: { name, scopes, ...limits },
    });
    return created;
  });
}

function isExactly(preset: readonly Scope[], scopes: readonly Scope[]): boolean {
  return new Set(scopes).size === preset.length && preset.every((scope) => scopes.includes(scope));
}

/** A key as a subject of the audit log. */
export function keySubject(subjectId: string, subjectName: string) {
  return { subject: "api_key", subjectId, subjectName };
}

function requireCustomScopes(plan: Plan | undefined): void {
  if (plan && CUSTOM_SCOPE_PLANS.includes(plan)) return;
  fail("FORBIDDEN", "Custom scopes and read-only keys need the Pro or Enterprise plan", { field: "scopes" });
}

/** The owner's limits of a key. */
type KeyLimits = Pick<typeof apiKeys.$inferSelect, "dailyBudget" | "addressCap">;

/** A key that phones hold is limited by address, except in a sandbox, whose codes are worth nothing. */
function defaultLimits({ app }: Context, scopes: readonly Scope[]): KeyLimits {
  return { dailyBudget: null, addressCap: isForPhones(scopes) && !app.sandbox ? DEFAULT_ADDRESS_CAP : null };
}

/** Inserts a key without checks and without an audit entry. */
export async function insertKey(
  ctx: Context,
  name: string,
  scopes: readonly Scope[],
  limits: KeyLimits = defaultLimits(ctx, scopes),
): Promise<CreatedKey> {
  const key = generateKeyText(ctx.app.sandbox);
  const id = uuidv7();
  await ctx.db.orm.insert(apiKeys).values({
    keyHash: hashKey(key),
    id,
    appId: ctx.app.id,
    name,
    prefix: key.slice(0, 12),
    lastFour: key.slice(-4),
    scopes: [...new Set(scopes)],
    dailyBudget: limits.dailyBudget,
    addressCap: limits.addressCap,
  });
  return { id, key, scopes };
}
