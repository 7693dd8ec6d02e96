import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Context } from "@/lib/context";
import { apiKeys } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { forgetKey } from "./forget";

export const revokeKeyInput = z.object({ keyId: z.uuid({ error: "keyId must be a UUID" }) });

/** Ends a key at once and for good. NOT_FOUND for a key of another app or one revoked already. */
export async function revokeKey(ctx: Context, input: z.output<typeof revokeKeyInput>): Promise<void> {
  const revoked = await ctx.db.orm
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.id, input.keyId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) fail("NOT_FOUND", "API key not found");
  await forgetKey(input.keyId);
}
