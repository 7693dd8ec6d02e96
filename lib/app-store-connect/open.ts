import { eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { appStoreKeys } from "@/lib/db/schema";
import { type Opened, openSecret } from "@/lib/secrets/open";
import type { CodeMaker } from "@/lib/stores/code-maker";
import { StoreTrouble } from "@/lib/stores/trouble";
import { AppStoreClient, type ClientOptions } from "./client";
import { appStoreMaker } from "./maker";

type KeyRow = typeof appStoreKeys.$inferSelect;

/** The place that a key is sealed for. */
export const sealedFor = (appId: string): string => `app_store_keys:${appId}`;

/** The app's key as it is stored. */
export async function findStoreKey(ctx: Pick<Context, "app" | "db">): Promise<KeyRow | undefined> {
  const [row] = await ctx.db.orm.select().from(appStoreKeys).where(eq(appStoreKeys.appId, ctx.app.id));
  return row;
}

const LOST: Record<NonNullable<Opened["lost"]>, string> = {
  other_secret:
    "The key was stored under another AUTH_SECRET and cannot be read any more. Store it again, or start the service with the former secret.",
  damaged: "The stored key is damaged and cannot be read. Store it again.",
};

/** Why a stored key cannot be read, in words; null where it can. */
export function lostKey({ appId, privateKey }: KeyRow): string | null {
  const { lost } = openSecret(privateKey, sealedFor(appId));
  return lost ? LOST[lost] : null;
}

/** App Store Connect with the app's key. Throws `StoreTrouble` where there is none that can be read. */
export async function openAppStore(ctx: Context, options?: ClientOptions): Promise<CodeMaker> {
  const row = await findStoreKey(ctx);
  if (!row) throw new StoreTrouble("key", "There is no key of App Store Connect.");
  const opened = openSecret(row.privateKey, sealedFor(ctx.app.id));
  if (opened.lost) throw new StoreTrouble("key", LOST[opened.lost]);
  const { appleAppId } = ctx.app;
  if (!appleAppId) throw new StoreTrouble("refused", "The app has no Apple ID yet: set it under Settings.");
  const { issuerId, keyId } = row;
  return appStoreMaker(new AppStoreClient({ issuerId, keyId, privateKey: opened.text }, options), appleAppId);
}
