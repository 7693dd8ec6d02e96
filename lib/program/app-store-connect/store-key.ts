import { createPrivateKey } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { AppSettings } from "@/lib/contract/app";
import { AWAITED_STATES, type StoreKeyView, storeKeyInput } from "@/lib/contract/code-request";
import { appStoreKeys, apps, codeRequests, refillRules, storeOffers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { sealSecret } from "@/lib/platform/secrets/seal";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { updateApp } from "@/lib/tenants/apps/update";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { findStoreKey, isUnreadable, keyBinding, unreadableReason } from "./connect";
import { resumeRefillsForKey, stopRefillsForKey } from "./refill-status";
import { retryRequests } from "./refresh-offers";

/** The app's key as the dashboard shows it, without the key itself. Null if there is none. */
export async function findStoreKeyView(ctx: Context): Promise<StoreKeyView | null> {
  const row = await findStoreKey(ctx);
  if (!row) return null;
  const { issuerId, keyId, listedAt, createdAt } = row;
  const trouble = unreadableReason(row) ?? row.trouble;
  return { issuerId, keyId, trouble, unreadable: isUnreadable(trouble), listedAt, createdAt };
}

/** Throws VALIDATION_ERROR unless a text is a key in App Store Connect's format: PKCS #8, elliptic, P-256. */
export function checkPrivateKey(pem: string): void {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return;
  } catch {
    // The library's own message could quote a piece of the pasted text.
  }
  fail("VALIDATION_ERROR", "privateKey is not an App Store Connect key: paste the whole .p8 file", {
    field: "privateKey",
  });
}

/** Stores an app's key sealed, in place of a former key. Waiting requests and refills continue. Throws VALIDATION_ERROR. */
export async function updateStoreKey(ctx: Context, input: z.input<typeof storeKeyInput>): Promise<void> {
  const { issuerId, keyId, privateKey: pem } = parseInput(storeKeyInput, input);
  checkPrivateKey(pem);
  const appId = ctx.app.id;
  const privateKey = sealSecret(pem, keyBinding(appId));
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const former = await findStoreKey(scope);
    const values = { issuerId, keyId, privateKey, trouble: null, createdAt: sql`now()` };
    await db.orm
      .insert(appStoreKeys)
      .values({ ...values, appId })
      .onConflictDoUpdate({
        target: appStoreKeys.appId,
        set: { ...values, createdAt: sql`excluded.created_at` },
      });
    await resumeRefillsForKey(scope);
    await retryRequests(scope);
    await recordAudit(db, ctx, {
      action: former ? "store_key.replaced" : "store_key.stored",
      subject: "app",
      subjectId: appId,
      subjectName: keyId,
      before: former && { issuerId: former.issuerId, keyId: former.keyId },
      after: { issuerId, keyId },
    });
  });
}

/** Deletes an app's key and the offers read with it. Requests and refills wait for a new key. Throws NOT_FOUND. */
export async function deleteStoreKey(ctx: Context): Promise<void> {
  const { id } = ctx.app;
  await ctx.db.transaction(async (db) => {
    const [deleted] = await db.orm.delete(appStoreKeys).where(eq(appStoreKeys.appId, id)).returning();
    if (!deleted) return fail("NOT_FOUND", "The app has no key for App Store Connect");
    await db.orm.delete(storeOffers).where(eq(storeOffers.appId, id));
    await stopRefillsForKey({ ...ctx, db }, "The key for App Store Connect was removed.");
    const { issuerId, keyId } = deleted;
    await recordAudit(db, ctx, {
      action: "store_key.removed",
      subject: "app",
      subjectId: id,
      subjectName: keyId,
      before: { issuerId, keyId },
    });
  });
}

const OTHER_APP = "The app has another Apple app ID now. Reload the offers, and choose one";

/**
 * Updates an app's settings as `updateApp` does. Another Apple ID forgets the offers of the former one, stops the refills
 * and ends requests that were not sent: Apple would create codes of the former app.
 */
export async function updateIdentity(ctx: Context, settings: Partial<AppSettings>): Promise<void> {
  const { id } = ctx.app;
  await ctx.db.transaction(async (db) => {
    const [former] = await db.orm.select().from(apps).where(eq(apps.id, id)).for("update");
    await updateApp({ ...ctx, db }, settings);
    if (settings.appleAppId === undefined || settings.appleAppId === former?.appleAppId) return;
    await db.orm.delete(storeOffers).where(eq(storeOffers.appId, id));
    await db.orm
      .update(refillRules)
      .set({ stopped: "refused", stoppedBecause: `${OTHER_APP} for this refill.`, stoppedAt: sql`now()` })
      .where(and(eq(refillRules.appId, id), eq(refillRules.enabled, true)));
    const unsent = and(eq(codeRequests.state, "asked"), isNull(codeRequests.postedAt));
    await db.orm
      .update(codeRequests)
      .set({ state: "refused", trouble: `${OTHER_APP}.`, endedAt: sql`now()`, leasedUntil: null })
      .where(and(eq(codeRequests.appId, id), unsent));
    // A worker that read the former Apple ID loses its lease: the codes that Apple has created for it are checked again.
    await db.orm
      .update(codeRequests)
      .set({ lease: null, leasedUntil: null })
      .where(and(eq(codeRequests.appId, id), inArray(codeRequests.state, AWAITED_STATES)));
  });
  // Again: a request before the commit may have read the former settings.
  await forgetApp(id);
}
