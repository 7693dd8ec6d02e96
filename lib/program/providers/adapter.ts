/** A request at a connection's address, with what the connection expects of it. */
export interface Delivery {
  headers: Headers;
  /** The bytes as received: signatures cover these, not the parsed JSON. */
  rawBody: Uint8Array;
  secret: string;
  /** Key of a second, optional signature. */
  signingSecret: string | null;
  /** The connection's app as its settings describe it: Apple signs for an app, not for an address. */
  app: StoreApp;
  /** Unix time in milliseconds. */
  now: number;
}

export interface StoreApp {
  appleAppId: string | null;
  iosBundleId: string | null;
  sandbox: boolean;
}

/** Names that the owner of a connection chose at the provider in place of the documented ones. */
export interface OwnNames {
  /** Names of events as they arrive, each with the documented name it stands for. */
  events: Readonly<Record<string, string>>;
  /** The metadata key that holds the user id, read before the default keys. */
  userIdKey: string | null;
}

/** The part of a delivery that an event is read from. Its proof was checked before, perhaps long ago. */
export interface Readable extends Pick<Delivery, "headers" | "rawBody"> {
  ownNames?: OwnNames | null;
}

/** Two ids that the provider says belong to one person; purchases and rights go from the first to the second. */
export interface IdentityLink {
  from: string;
  to: string;
}

/** The effect of an event on the referral of a person. */
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
  /** Ids of the person as the provider sent them, in the order in which they are matched. */
  uids: string[];
  confirmation: Confirmation;
  /** The provider's time of the event at the store, in Unix milliseconds; null where it sends none. */
  occurredAt: number | null;
  /** The store's original transaction, the same for a purchase, its renewals and its refund. */
  purchaseId: string | null;
  links: IdentityLink[];
  payload: unknown;
}

/** The contents of a made-up event that tries out a connection of a sandbox app. */
export interface SampleRequest {
  /** `hello` changes nothing. */
  kind: "purchase" | "refund" | "hello";
  uid: string;
  secret: string;
  signingSecret: string | null;
  /** Unix time in milliseconds. */
  now: number;
}

/** The origin of a connection's secret. */
export type SecretSource =
  /** Made here and typed in at the provider: a header value, or a signing key of Standard Webhooks. */
  | { from: "us"; form: "header" | "standard" }
  /** Made by the provider and pasted here; until then every delivery is refused. */
  | { from: "provider"; pattern: RegExp; expected: string }
  /** The provider signs with a key that anyone can check. */
  | { from: "none" };

/** One provider: bytes in, an event out. Pure: connections are read and events are stored by the callers. */
export interface Adapter {
  /** Throws UNAUTHORIZED where the delivery does not prove its origin. */
  authenticate(delivery: Delivery): void | Promise<void>;
  /** Throws VALIDATION_ERROR, naming the field, where no event can be read. */
  read(delivery: Readable): ProviderEvent;
  secret: SecretSource;
  /** A sandbox event as the provider itself would send it, with its proof where the secret is known here. */
  sample(request: SampleRequest): Readable;
}
