import { eq } from "drizzle-orm";
import { appStoreKeys } from "@/lib/platform/db/schema";
import { type Opened, openSecret } from "@/lib/platform/secrets/seal";
import { type StoreApi, StoreError } from "@/lib/program/stores/store-api";
import type { Context } from "@/lib/tenants/context";
import { appStoreApi } from "./api";
import { AppStoreClient, type ClientOptions } from "./client";

export type KeyRow = typeof appStoreKeys.$inferSelect;

/** Binds a sealed key to its row: moved to another app's row, it cannot be read. */
export const keyBinding = (appId: string): string => `app_store_keys:${appId}`;

/** The app's key as stored. */
export async function findStoreKey(ctx: Pick<Context, "app" | "db">): Promise<KeyRow | undefined> {
  const [row] = await ctx.db.orm.select().from(appStoreKeys).where(eq(appStoreKeys.appId, ctx.app.id));
  return row;
}

/** Whether another key replaced one that was read, about which Apple's answers say nothing. False if it was only removed. */
export async function isReplaced(
  ctx: Pick<Context, "app" | "db">,
  key: KeyRow | undefined,
): Promise<boolean> {
  const stored = await findStoreKey(ctx);
  return stored !== undefined && Number(stored.createdAt) !== Number(key?.createdAt);
}

export const NO_KEY = "The app has no key for App Store Connect.";

const UNREADABLE: Record<NonNullable<Opened["lost"]>, string> = {
  unknown_key:
    "The key was sealed under another secret and cannot be read. Store it again, or add the former secret to SEALING_KEYS.",
  damaged: "The stored key is damaged and cannot be read. Store it again.",
};

/** The reason why a stored key cannot be read; null if it can. */
export function unreadableReason({ appId, privateKey }: KeyRow): string | null {
  const { lost } = openSecret(privateKey, keyBinding(appId));
  return lost ? UNREADABLE[lost] : null;
}

/** Whether a reason, perhaps stored at the key's last use, says that the key could not be read. */
export const isUnreadable = (trouble: string | null): boolean =>
  Object.values(UNREADABLE).some((reason) => reason === trouble);

/** App Store Connect with the app's key. Throws {@link StoreError} without a readable key or an Apple ID. */
export async function connectAppStore(ctx: Context, options?: ClientOptions): Promise<StoreApi> {
  const row = await findStoreKey(ctx);
  if (!row) throw new StoreError("key", NO_KEY);
  const opened = openSecret(row.privateKey, keyBinding(ctx.app.id));
  if (opened.lost) throw new StoreError("key", UNREADABLE[opened.lost]);
  const { appleAppId } = ctx.app;
  if (!appleAppId) throw new StoreError("refused", "The app has no Apple ID yet. Add it under Settings.");
  const { issuerId, keyId } = row;
  return appStoreApi(new AppStoreClient({ issuerId, keyId, privateKey: opened.text }, options), appleAppId);
}
