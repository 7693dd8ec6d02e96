/** What a store answered when it did not do what it was asked. */
type TroubleKind =
  /** It does not take the key. */
  | "key"
  /** It will not do this, and would not if asked again. */
  | "refused"
  /** Too many requests: later. */
  | "busy"
  /** It was not reached: it did nothing. */
  | "unreachable"
  /** It may have done it: the answer was lost, or was a fault of its own. */
  | "unsure";

/** A store's refusal or silence, in words that its owner can act on; never with a key or code in them. */
export class StoreTrouble extends Error {
  constructor(
    readonly kind: TroubleKind,
    message: string,
    /** Seconds that the store asked to wait. */
    readonly retryAfter?: number | undefined,
  ) {
    super(message);
    this.name = "StoreTrouble";
  }
}
