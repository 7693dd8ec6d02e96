import type { Context } from "@/lib/context";
import type { StoreKeyView } from "@/lib/contract/code-request";
import { findStoreKey, lostKey } from "./open";

/** The app's key as the dashboard shows it, or nothing where there is none. */
export async function storeKeyView(ctx: Context): Promise<StoreKeyView | null> {
  const row = await findStoreKey(ctx);
  if (!row) return null;
  const { issuerId, keyId, trouble, listedAt, createdAt } = row;
  return { issuerId, keyId, trouble: lostKey(row) ?? trouble, listedAt, createdAt };
}
