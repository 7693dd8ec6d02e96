import type { Adapter } from "@/lib/providers/adapter";
import { generic } from "@/lib/providers/generic";
import { revenuecat } from "@/lib/providers/revenuecat";

/** A provider with the words that a person needs to connect it. */
export interface Provider {
  adapter: Adapter;
  label: string;
  /** What the secret of a connection is called where it has to be typed in. */
  secretLabel: string;
  /** Name of the second, optional secret that the provider makes; null where there is none. */
  signingSecretLabel: string | null;
  /** What to do at the provider's end, in order. */
  steps: readonly string[];
  documentation: string;
}

/** Every provider that can confirm; its key is the part of the address after `/api/providers/`. */
export const PROVIDERS = {
  revenuecat: {
    adapter: revenuecat,
    label: "RevenueCat",
    secretLabel: "Authorization header value",
    signingSecretLabel: "Webhook signing secret",
    steps: [
      "In RevenueCat, open your project, then Integrations, then Webhooks, and add a webhook.",
      "Paste the address as the webhook URL and the secret as the authorization header value.",
      "Send both production and sandbox purchases; a live app ignores those of the sandbox.",
      "Where you switch on signed webhooks, copy RevenueCat's signing secret into this connection.",
    ],
    documentation: "https://www.revenuecat.com/docs/integrations/webhooks",
  },
  generic: {
    adapter: generic,
    label: "Your own server",
    secretLabel: "Signing secret",
    signingSecretLabel: null,
    steps: [
      "Keep the secret on your server, never in the app.",
      "POST an event to the address when a purchase, a refund or a reversed refund is known.",
      "Sign it with any Standard Webhooks library and use the same webhook-id for every try.",
    ],
    documentation: "https://www.standardwebhooks.com",
  },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

/** Whether a name from outside is a provider that this version speaks with. */
export const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);
