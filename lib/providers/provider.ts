import type { Adapter } from "@/lib/providers/adapter";

/** What events of some types do to a referral. */
export interface EventRule {
  types: readonly string[];
  /** What must hold as well; none where the type alone decides. */
  when?: string;
  /** `renews` confirms only where the campaign counts any renewal; `links` says that ids are one person's. */
  does: "confirms" | "renews" | "reverses" | "restores" | "links" | "ignored";
  why: string;
}

/** What a person needs to know to connect a provider; the dashboard and docs/providers.md both tell it. */
export interface ProviderWords {
  label: string;
  /** How each delivery proves where it comes from. */
  proof: string;
  /** What the secret of a connection is called where it has to be typed in, or is copied from. */
  secretLabel: string;
  /** Name of the second, optional secret that the provider makes; null where there is none. */
  signingSecretLabel: string | null;
  /** What to do at the provider's end, in order. */
  steps: readonly string[];
  /** Which id there has to equal the `referee_uid` of a redemption. */
  userId: string;
  /** What it does when we do not answer 200. */
  retries: string;
  /** What its documentation leaves open, and what we do about it. */
  unsure: readonly string[];
  /** What an owner can have named otherwise over there, and says with the connection; none where absent. */
  ownNames?: readonly ("events" | "userIdKey")[];
  /** Settings of the app without which nothing can be checked. */
  needs: readonly ("iosBundleId" | "appleAppId")[];
  events: readonly EventRule[];
  documentation: string;
}

/** A provider as this version speaks with it. */
export interface Provider extends ProviderWords {
  adapter: Adapter;
}
