import type { Confirmation } from "@/lib/providers/adapter";

/** What an event is that tells of no redemption, refund or reversed refund. */
export const IGNORED: Confirmation = { kind: "ignore", paid: false, renewal: false, sandbox: false };

/** Where promo codes exist, by every name that providers give the two stores. */
const CODE_STORES = new Set([
  ...["app_store", "mac_app_store", "apple_app_store", "apple", "itunes", "ios"],
  ...["play_store", "google_play_store", "google_play", "google", "android"],
]);

/** Whether a code can have been redeemed there: not on the web, not in other shops. Not said means it can. */
export function isCodeStore(store: string | undefined): boolean {
  return store === undefined || store === "" || CODE_STORES.has(store.toLowerCase());
}

/** Whether an environment's name, in any case, is the stores' sandbox. */
export const isSandbox = (environment: string | undefined) => environment?.toLowerCase() === "sandbox";
