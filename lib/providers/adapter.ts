/** What arrived at a connection's address, and what the connection expects of it. */
export interface Delivery {
  headers: Headers;
  /** The bytes as they came: signatures are over these, not over parsed JSON. */
  rawBody: Uint8Array;
  secret: string;
  /** Key of a second, optional signature. */
  signingSecret: string | null;
  /** Unix time in milliseconds. */
  now: number;
}

/** What one event means for the referral of a person. */
export interface Confirmation {
  kind: "confirm" | "reverse" | "restore" | "ignore";
  /** Money is involved: everything but a free trial. */
  paid: boolean;
  /** A renewal without a trace of the code, which confirms only where the campaign allows it. */
  renewal: boolean;
  sandbox: boolean;
}

export interface ProviderEvent {
  /** The provider's id of the event, the same on every delivery of it. */
  eventId: string;
  type: string;
  /** Ids of the person in the order in which they are matched, as the provider sent them. */
  uids: string[];
  confirmation: Confirmation;
  payload: unknown;
}

/** An event to be made up, for trying a connection out in a sandbox. */
export interface Sample {
  /** What it is to say; a `hello` does nothing. */
  kind: "purchase" | "refund" | "hello";
  uid: string;
  secret: string;
  signingSecret: string | null;
  /** Unix time in milliseconds. */
  now: number;
}

/** One provider: bytes in, an event out. Pure; all reads of the connection and all writes are elsewhere. */
export interface Adapter {
  /** Throws UNAUTHORIZED where the delivery does not prove where it comes from. */
  authenticate(delivery: Delivery): void;
  /** Throws VALIDATION_ERROR, naming the field, where no event can be read. */
  read(delivery: Delivery): ProviderEvent;
  /** A new secret for a connection, from a cryptographic source. */
  makeSecret(): string;
  /** A sandbox event as the provider itself would send it, with its proof. */
  sample(wanted: Sample): Pick<Delivery, "headers" | "rawBody">;
}
