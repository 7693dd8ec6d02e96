import type { OfferType, StoreOffer } from "@/lib/contract/code-request";

/** An offer by the store's own id. */
export interface OfferRef {
  type: OfferType;
  id: string;
}

/** Codes that a store made together. */
export interface StoreBatch {
  id: string;
  amount: number;
  /** The store's day on which they end. */
  expiresOn: string;
  createdAt: Date | undefined;
  active: boolean;
  /** Unknown where the store does not say. */
  sandbox: boolean | undefined;
}

/** What is asked for. */
export interface NewStoreBatch {
  amount: number;
  expiresOn: string;
  /** Codes that only test purchases can redeem. */
  sandbox: boolean;
}

/** A store that makes one-time codes when asked. Each method throws `StoreTrouble`. */
export interface CodeMaker {
  listOffers(): Promise<StoreOffer[]>;
  /** Every batch of an offer, codes of any age. */
  listBatches(offer: OfferRef): Promise<StoreBatch[]>;
  /** Not to be repeated: every call makes codes. */
  makeBatch(offer: OfferRef, batch: NewStoreBatch): Promise<StoreBatch>;
  /** The codes of a batch as the store's own file. */
  readCodes(type: OfferType, batchId: string): Promise<string>;
}
