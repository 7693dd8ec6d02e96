import type { ProviderWords } from "@/lib/providers/provider";

export const qonversionWords: ProviderWords = {
  label: "Qonversion",
  proof: "`Authorization` is `Basic ` and the connection's secret, not encoded",
  secretLabel: "Authorization token",
  signingSecretLabel: null,
  steps: [
    "In Qonversion, open Integrations and choose Webhooks.",
    "Paste the address as the webhook URL and the secret as the authorization token. The sandbox URL takes the address of a connection of your sandbox app.",
    "Keep the event names as Qonversion suggests them, or enter yours with the connection here. Switch on trials, subscriptions, purchases and refunds.",
    "Save. Qonversion sends a request at once and wants 200 for an answer.",
  ],
  userId: "The identity id that you give to Qonversion.identify, else the custom user id.",
  retries: "Tries up to 5 more times within about 24 hours, as others who use it report.",
  unsure: [
    "Events carry no id: name, transaction, time and user together are one event.",
    "Names of events are chosen in the integration. Capitals, spaces and hyphens do not matter here; say with the connection what a name of your own stands for, else it is ignored.",
    "The documentation shows no environment in its sample; without one a purchase counts as production.",
  ],
  ownNames: ["events"],
  needs: [],
  events: [
    {
      types: [
        ...["trial_started", "trial_converted", "subscription_started", "in_app_purchase"],
        "non_renewing_purchase",
      ],
      does: "confirms",
      why: "The referee got something from the store; a trial is not paid",
    },
    { types: ["subscription_renewed"], does: "renews", why: "It may be older than the code" },
    { types: ["subscription_refunded", "in_app_refunded"], does: "reverses", why: "The money went back" },
    {
      types: [
        ...["trial_canceled", "trial_expired", "subscription_canceled", "subscription_expired"],
        ...["subscription_upgraded", "subscription_downgraded", "subscription_product_changed"],
        ...["refund_consumption", "refund_declined", "verification"],
      ],
      does: "ignored",
      why: "They tell of no redemption",
    },
  ],
  documentation: "https://documentation.qonversion.io/docs/webhooks",
};
