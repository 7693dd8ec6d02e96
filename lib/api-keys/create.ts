import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { SCOPES, type Scope } from "@/lib/contract/scopes";
import { apiKeys, workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { CUSTOM_SCOPE_PLANS } from "@/lib/quota/plans";
import { hashKey, mintKeyText } from "./text";

export const createKeyInput = z.object({
  name: z.string().trim().min(1, "name is required").max(80, "name must be at most 80 characters"),
  scopes: z
    .array(z.enum(SCOPES, { error: `scopes must be among ${SCOPES.join(", ")}` }))
    .min(1, "scopes must name at least one scope")
    .default([...SCOPES]),
});

/** A key's text, which exists only in this answer, and its id. */
export interface CreatedKey {
  id: string;
  key: string;
}

/** Makes a key for the app of `ctx`. Custom scopes are FORBIDDEN on plans without them. */
export async function createKey(ctx: Context, input: z.input<typeof createKeyInput>): Promise<CreatedKey> {
  const { name, scopes } = parseInput(createKeyInput, input);
  if (new Set(scopes).size < SCOPES.length) await requireCustomScopes(ctx);
  return ctx.db.transaction(async (db) => {
    const created = await insertKey({ ...ctx, db }, name, scopes);
    const after = { name, scopes };
    await recordAudit(db, ctx, { action: "api_key.created", ...keySubject(created.id, name), after });
    return created;
  });
}

/** A key as the audit log names its subject. */
export function keySubject(subjectId: string, subjectName: string) {
  return { subject: "api_key", subjectId, subjectName };
}

async function requireCustomScopes(ctx: Context): Promise<void> {
  const [workspace] = await ctx.db.orm
    .select({ plan: workspaces.plan })
    .from(workspaces)
    .where(eq(workspaces.id, ctx.workspace.id));
  if (workspace && CUSTOM_SCOPE_PLANS.includes(workspace.plan)) return;
  fail("FORBIDDEN", "Custom scopes and read-only keys need the Pro or Enterprise plan", { field: "scopes" });
}

/** Stores a new key without asking the plan: for rotation, and for samples. */
export async function insertKey(ctx: Context, name: string, scopes: readonly Scope[]): Promise<CreatedKey> {
  const key = mintKeyText(ctx.app.sandbox);
  const id = uuidv7();
  await ctx.db.orm.insert(apiKeys).values({
    keyHash: hashKey(key),
    id,
    appId: ctx.app.id,
    name,
    prefix: key.slice(0, 12),
    lastFour: key.slice(-4),
    scopes: [...new Set(scopes)],
  });
  return { id, key };
}
