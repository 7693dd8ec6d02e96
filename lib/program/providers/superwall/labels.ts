import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const superwallLabels: ProviderLabels = {
  label: "Superwall",
  proof: "Svix: `svix-id`, `svix-timestamp`, `svix-signature`, with the secret that Superwall shows",
  secretLabel: "Signing secret",
  signingSecretLabel: null,
  steps: [
    "In Superwall, open Integrations, then Webhooks, and add an endpoint with the address.",
    "Copy the signing secret of the endpoint, which begins with whsec_, into this connection.",
    "Superwall's own test event changes nothing. To test a referral, send an event from a connection of a sandbox app here, or make a sandbox purchase.",
  ],
  userId:
    "The id you pass to Superwall.identify, with SDK 4.5.2 or newer; on iOS Superwall forwards UUIDs only. It keeps the first id of a person.",
  retries:
    "As Svix does: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. The endpoint is disabled after 5 days of failures.",
  unsure: [
    "Not verified with Webhooks V2, the format of every webhook created there today: the adapter was written for the one labelled Legacy. Check the first delivery.",
  ],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: ["initial_purchase", "non_renewing_purchase"],
      does: "confirms",
      why: "The referee got something from the store; a `periodType` of `TRIAL` is not paid",
    },
    {
      types: ["renewal"],
      when: "with `offerCode` outside Google Play, of `periodType` `TRIAL`, or with `isTrialConversion`",
      does: "confirms",
      why: "It shows the code, or the trial that came before",
    },
    { types: ["renewal"], does: "renews", why: "It may be older than the code" },
    {
      types: ["cancellation"],
      when: "with `cancelReason` `CUSTOMER_SUPPORT`; and every event but `product_change` with a `price` below 0",
      does: "reverses",
      why: "Superwall has no event for a refund",
    },
    {
      types: [
        "cancellation",
        "uncancellation",
        "expiration",
        "billing_issue",
        "product_change",
        "subscription_paused",
        "test",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://superwall.com/docs/integrations/webhooks",
};
