import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const qonversionLabels: ProviderLabels = {
  label: "Qonversion",
  proof: "`Authorization` is `Basic ` and the connection's secret, not encoded",
  secretLabel: "Authorization token",
  signingSecretLabel: null,
  steps: [
    "In Qonversion, open Integrations and choose Webhooks.",
    "Paste the address as the webhook URL and the secret as the authorization token. The sandbox URL takes the address of a connection of your sandbox app.",
    "Keep the event names that Qonversion suggests, or enter yours under Custom names in the connection's menu. Enable trials, subscriptions, purchases and refunds.",
    "Save. Qonversion sends a request right away and expects the answer 200.",
  ],
  userId: "The identity id you pass to Qonversion.identify, or else the custom user id.",
  retries: "Up to 5 times within about 24 hours, as its users report.",
  unsure: [
    "Events carry no id: name, transaction, time and user together identify an event.",
    "Event names are chosen in the integration. Capitals, spaces and hyphens do not matter; enter what a custom name stands for, or the event is ignored.",
    "Without an environment a purchase counts as production.",
    "Family sharing, the store and the ids of the transaction are read where an event carries them.",
  ],
  ownNames: ["events"],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: [
        "trial_started",
        "trial_converted",
        "subscription_started",
        "in_app_purchase",
        "non_renewing_purchase",
      ],
      does: "confirms",
      why: "The referee got something from the store; a trial is not paid",
    },
    { types: ["subscription_renewed"], does: "renews", why: "It may be older than the code" },
    { types: ["subscription_refunded", "in_app_refunded"], does: "reverses", why: "A purchase was refunded" },
    {
      types: [
        "trial_canceled",
        "trial_expired",
        "subscription_canceled",
        "subscription_expired",
        "subscription_upgraded",
        "subscription_downgraded",
        "subscription_product_changed",
        "refund_consumption",
        "refund_declined",
        "verification",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://documentation.qonversion.io/docs/webhooks",
};
