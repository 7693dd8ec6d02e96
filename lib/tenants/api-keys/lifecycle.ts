import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Scope } from "@/lib/contract/api-key";
import { GRACE_SECONDS, GRACES } from "@/lib/contract/grace";
import { apiKeys } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { type CreatedKey, insertKey, keySubject } from "./create";
import { forgetKey } from "./verify";

/** One of an app's keys, as forms name it. */
export const keyInput = z.object({ keyId: z.uuid({ error: "keyId must be a UUID" }) });

export const rotateKeyInput = keyInput.extend({
  grace: z.enum(GRACES, { error: "grace must be now, 1h, 24h or 7d" }),
});

/** The key of the app with this id, unless it was revoked. */
export const isLive = (ctx: Context, keyId: string) =>
  and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt));

/** Ends a key at once, which cannot be undone. Throws NOT_FOUND for a revoked key and for a key of another app. */
export async function revokeKey(ctx: Context, input: z.output<typeof keyInput>): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const [revoked] = await db.orm
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(isLive(ctx, input.keyId))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    if (!revoked) return fail("NOT_FOUND", "There is no such API key");
    await recordAudit(db, ctx, { action: "api_key.revoked", ...keySubject(revoked.id, revoked.name) });
  });
  await forgetKey(input.keyId);
}

/**
 * Creates a key with the same name, scopes and limits; the old key works until its grace period ends. Only once per
 * key: throws NOT_FOUND for a key that was revoked or rotated, or belongs to another app.
 */
export async function rotateKey(ctx: Context, input: z.output<typeof rotateKeyInput>): Promise<CreatedKey> {
  const created = await ctx.db.transaction(async (db) => {
    const [old] = await db.orm
      .update(apiKeys)
      .set({ expiresAt: sql`now() + make_interval(secs => ${GRACE_SECONDS[input.grace]})` })
      .where(and(isLive(ctx, input.keyId), isNull(apiKeys.expiresAt)))
      .returning();
    if (!old) return fail("NOT_FOUND", "There is no such API key, or it was already rotated");
    const next = await insertKey({ ...ctx, db }, old.name, old.scopes as Scope[], old);
    await recordAudit(db, ctx, {
      action: "api_key.rotated",
      ...keySubject(input.keyId, old.name),
      after: { oldKeyWorksFor: input.grace, newKey: next.id },
    });
    return next;
  });
  await forgetKey(input.keyId);
  return created;
}
