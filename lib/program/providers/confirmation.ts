import type { Confirmation } from "@/lib/program/providers/adapter";

/** The confirmation of an event that reports no redemption, refund or reversed refund. */
export const IGNORED: Confirmation = { kind: "ignore", paid: false, renewal: false, sandbox: false };

/** Every name that providers use for the two stores that have promo codes. */
const CODE_STORES = new Set([
  "app_store",
  "mac_app_store",
  "apple_app_store",
  "apple",
  "itunes",
  "ios",
  "play_store",
  "google_play_store",
  "google_play",
  "google",
  "android",
]);

/**
 * Whether a code can be redeemed in this store, which excludes the web and other shops. An unnamed store counts.
 */
export function isCodeStore(store: string | undefined): boolean {
  return store === undefined || store === "" || CODE_STORES.has(store.toLowerCase());
}

/** Whether the provider reports that nothing was paid. A missing price is not a price of 0. */
export const isFree = (price: number | undefined) => price === 0;

/** Whether an environment's name, in any case, is the stores' sandbox. */
export const isSandbox = (environment: string | undefined) => environment?.toLowerCase() === "sandbox";
