import type { OfferType, StoreOffer } from "@/lib/contract/code-request";

/** An offer, identified at the store. */
export type OfferRef = Pick<StoreOffer, "type" | "id">;

/** One-time codes that the store created together. */
export interface StoreBatch {
  id: string;
  amount: number;
  /** Expiry day in the store's own time zone. */
  expiresOn: string;
  createdAt: Date | undefined;
  active: boolean;
  /** Undefined if the store does not say. */
  sandbox: boolean | undefined;
}

/** An order of one-time codes. */
export interface NewStoreBatch {
  amount: number;
  expiresOn: string;
  /** Only test purchases can redeem the codes. */
  sandbox: boolean;
}

/** A store that creates one-time codes on request. Every method throws {@link StoreError}. */
export interface StoreApi {
  listOffers(): Promise<StoreOffer[]>;
  /** Every batch of an offer, expired batches included. */
  listBatches(offer: OfferRef): Promise<StoreBatch[]>;
  /** Not idempotent: every call creates codes. */
  createBatch(offer: OfferRef, batch: NewStoreBatch): Promise<StoreBatch>;
  /** The codes of a batch as the store's own file. */
  downloadCodes(type: OfferType, batchId: string): Promise<string>;
}

export type StoreErrorKind =
  /** The store rejects the key. */
  | "key"
  /** The store rejects the request, and would reject it again. */
  | "refused"
  /** A rate limit: try again later. */
  | "busy"
  /** Not sent: nothing happened at the store. */
  | "unreachable"
  /** The response was lost or was a server error: the request may have been carried out. */
  | "unknown_outcome";

/** A failed request to a store: a message for the app's owner without keys and codes, seconds to wait, the status to log. */
export class StoreError extends Error {
  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    readonly retryAfter?: number | undefined,
    readonly status?: number,
  ) {
    super(message);
    this.name = "StoreError";
  }
}
