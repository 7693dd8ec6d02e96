import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { Scope } from "@/lib/contract/scopes";
import { apiKeys } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { type CreatedKey, insertKey, keySubject } from "./create";
import { forgetKey } from "./forget";

/** How long the old key goes on working, in seconds. */
export const GRACE_SECONDS = { now: 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;

export const rotateKeyInput = z.object({
  keyId: z.uuid({ error: "keyId must be a UUID" }),
  grace: z.enum(["now", "1h", "24h", "7d"], { error: "grace must be now, 1h, 24h or 7d" }),
});

/**
 * Makes a new key of the same name and scopes; the old one works until its grace period ends. A key can be rotated
 * once: NOT_FOUND for one revoked, rotated already, or of another app.
 */
export async function rotateKey(ctx: Context, input: z.output<typeof rotateKeyInput>): Promise<CreatedKey> {
  const created = await ctx.db.transaction(async (db) => {
    const [old] = await db.orm
      .update(apiKeys)
      .set({ expiresAt: sql`now() + make_interval(secs => ${GRACE_SECONDS[input.grace]})` })
      .where(
        and(
          eq(apiKeys.appId, ctx.app.id),
          eq(apiKeys.id, input.keyId),
          isNull(apiKeys.revokedAt),
          isNull(apiKeys.expiresAt),
        ),
      )
      .returning({ name: apiKeys.name, scopes: apiKeys.scopes });
    if (!old) return fail("NOT_FOUND", "API key not found, or rotated already");
    const next = await insertKey({ ...ctx, db }, old.name, old.scopes as Scope[]);
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
