import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { keySubject } from "./create";
import { forgetKey } from "./verify";

export const revokeKeyInput = z.object({ keyId: z.uuid({ error: "keyId must be a UUID" }) });

/** Ends a key at once and for good. Throws NOT_FOUND for a revoked key and for a key of another app. */
export async function revokeKey(ctx: Context, input: z.output<typeof revokeKeyInput>): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const [revoked] = await db.orm
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.id, input.keyId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    if (!revoked) return fail("NOT_FOUND", "API key not found");
    await recordAudit(db, ctx, { action: "api_key.revoked", ...keySubject(revoked.id, revoked.name) });
  });
  await forgetKey(input.keyId);
}
