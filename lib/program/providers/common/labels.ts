/** The effect of some types of event on a referral. */
export interface EventRule {
  types: readonly string[];
  /** A further condition; absent where the type alone decides. */
  when?: string;
  /** `renews` confirms only where the campaign counts any renewal; `links` joins the ids of one person. */
  does: "confirms" | "renews" | "reverses" | "restores" | "links" | "ignored";
  why: string;
}

/** Texts about a provider for the user who connects it, shown in the dashboard and in docs/providers.md. */
export interface ProviderLabels {
  label: string;
  /** The proof of origin that each delivery carries. */
  proof: string;
  /** The provider's name for the secret of a connection. */
  secretLabel: string;
  /** Name of the provider's second, optional secret; null if there is none. */
  signingSecretLabel: string | null;
  /** Set-up steps at the provider, in order. */
  steps: readonly string[];
  /** The id there that has to equal the `referee_uid` of a redemption. */
  userId: string;
  /** The provider's retries after an answer other than 200. */
  retries: string;
  /** Gaps of its documentation, each with this service's way to handle it. */
  unsure: readonly string[];
  /** Names that an owner can choose at the provider and enter with the connection; absent if there are none. */
  ownNames?: readonly ("events" | "userIdKey")[];
  /** Whether its events name the store, so that an owner can choose to count web shops. */
  webPurchases?: true;
  /** Settings of the app without which no delivery can be checked. */
  needs: readonly ("iosBundleId" | "appleAppId")[];
  events: readonly EventRule[];
  documentation: string;
}
