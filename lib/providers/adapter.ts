/** What arrived at a connection's address, and what the connection expects of it. */
export interface Delivery {
  headers: Headers;
  /** The bytes as they came: signatures are over these, not over parsed JSON. */
  rawBody: Uint8Array;
  secret: string;
  /** Key of a second, optional signature. */
  signingSecret: string | null;
  /** The app of the connection, as its settings say: Apple signs for an app, not for an address. */
  app: StoreApp;
  /** Unix time in milliseconds. */
  now: number;
}

export interface StoreApp {
  appleAppId: string | null;
  iosBundleId: string | null;
  sandbox: boolean;
}

/** What the owner of a connection has named otherwise at the provider than the provider documents. */
export interface OwnNames {
  /** Names of events as they arrive, each with the documented one that it stands for. */
  events: Readonly<Record<string, string>>;
  /** The key under which the user id stands in metadata, before the keys that are read anyway. */
  userIdKey: string | null;
}

/** What a delivery is read from; its proof was checked before, or long ago where it is read again. */
export interface Readable extends Pick<Delivery, "headers" | "rawBody"> {
  ownNames?: OwnNames | null;
}

/** Two ids that the provider says are one person's; purchases and rights go from the first to the second. */
export interface IdentityLink {
  from: string;
  to: string;
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
  /** When it happened at the store, as the provider says: Unix milliseconds; null where it does not say. */
  occurredAt: number | null;
  /** The store's original transaction, the same for a purchase, its renewals and its refund. */
  purchaseId: string | null;
  links: IdentityLink[];
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

/** Where a connection's secret is from. */
export type SecretSource =
  /** Ours, typed in at the provider; from a cryptographic source. */
  | { from: "us"; make(): string }
  /** The provider's, pasted here once it is known; until then nothing is taken. */
  | { from: "provider"; pattern: RegExp; expected: string }
  /** There is none: the provider signs with a key that everybody can check. */
  | { from: "nobody" };

/** One provider: bytes in, an event out. Pure; all reads of the connection and all writes are elsewhere. */
export interface Adapter {
  /** Throws UNAUTHORIZED where the delivery does not prove where it comes from. */
  authenticate(delivery: Delivery): void | Promise<void>;
  /** Throws VALIDATION_ERROR, naming the field, where no event can be read. */
  read(delivery: Readable): ProviderEvent;
  secret: SecretSource;
  /** A sandbox event as the provider itself would send it, with its proof where anybody but the provider can make it. */
  sample(wanted: Sample): Readable;
}
