import { and, eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import { resumeAfterKey } from "@/lib/code-requests/stop-refill";
import type { Context } from "@/lib/context";
import { storeKeyInput } from "@/lib/contract/code-request";
import { appStoreKeys, codeRequests } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { sealSecret } from "@/lib/secrets/seal";
import { findStoreKey, sealedFor } from "./open";
import { checkPrivateKey } from "./private-key";

/** Stores an app's key sealed, in place of the one before. What waited for a key goes on. Throws VALIDATION_ERROR. */
export async function saveStoreKey(ctx: Context, input: z.input<typeof storeKeyInput>): Promise<void> {
  const { issuerId, keyId, privateKey: pem } = parseInput(storeKeyInput, input);
  checkPrivateKey(pem);
  const appId = ctx.app.id;
  const privateKey = sealSecret(pem, sealedFor(appId));
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const former = await findStoreKey(scope);
    const values = { issuerId, keyId, privateKey, trouble: null, listedAt: null, createdAt: sql`now()` };
    await db.orm
      .insert(appStoreKeys)
      .values({ ...values, appId })
      .onConflictDoUpdate({ target: appStoreKeys.appId, set: values });
    await resumeAfterKey(scope);
    await db.orm
      .update(codeRequests)
      .set({ dueAt: sql`now()` })
      .where(and(eq(codeRequests.appId, appId), inArray(codeRequests.state, ["asked", "made"])));
    await recordAudit(db, ctx, {
      ...{ action: former ? "store_key.replaced" : "store_key.stored", subject: "app" },
      ...{ subjectId: appId, subjectName: keyId },
      before: former && { issuerId: former.issuerId, keyId: former.keyId },
      after: { issuerId, keyId },
    });
  });
}
