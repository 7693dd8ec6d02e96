import type { Confirmation } from "@/lib/program/providers/common/adapter";

/** The confirmation of an event that reports no redemption, refund or reversed refund. */
export const IGNORED: Confirmation = { kind: "ignore", paid: false, renewal: false, sandbox: false };

/** Every name that providers use for the two stores that have promo codes. */
const APP_STORES = ["app_store", "mac_app_store", "apple_app_store", "apple", "itunes", "ios"];
const PLAY_STORES = ["play_store", "google_play_store", "google_play", "google", "android"];
const CODE_STORES = new Set([...APP_STORES, ...PLAY_STORES]);

/** Every name that providers use for web shops. Grants and the shops of other devices are not among them. */
const WEB_STORES = new Set(["stripe", "paddle", "rc_billing", "web"]);

/**
 * Whether a purchase in this store counts: a store where codes can be redeemed, and a web shop if the connection's owner
 * wants that. An unnamed store counts.
 */
export function storeCounts(store: string | undefined, webPurchases = false): boolean {
  if (store === undefined || store === "") return true;
  const name = store.toLowerCase();
  return CODE_STORES.has(name) || (webPurchases && WEB_STORES.has(name));
}

/**
 * Whether the offer that a renewal names may belong to a code just used. Not on Google Play: its renewals repeat the
 * code of the purchase, and its custom codes are for new subscribers, whose purchase is no renewal.
 */
export const offerShowsTheCode = (offer: string | undefined, store: string | undefined): boolean =>
  Boolean(offer) && !PLAY_STORES.includes(store?.toLowerCase() ?? "");

/** Marks an event whose provider sends only its own id, because it has none that the app chose. */
export const withoutName = (confirmation: Confirmation, unnamed: boolean): Confirmation =>
  unnamed && confirmation.kind !== "ignore" ? { ...confirmation, unnamed } : confirmation;

/** Whether the provider reports that nothing was paid. A missing price is not a price of 0. */
export const isFree = (price: number | undefined) => price === 0;

/** Whether an environment's name, in any case, is the stores' sandbox. */
export const isSandbox = (environment: string | undefined) => environment?.toLowerCase() === "sandbox";
