import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const apphudLabels: ProviderLabels = {
  label: "Apphud",
  proof: "`X-Apphud-Token` is the connection's secret",
  secretLabel: "Webhook token",
  signingSecretLabel: null,
  steps: [
    "In Apphud, open the integrations of your app and add Webhooks.",
    "Paste the address as the URL and the secret as the token.",
    "Choose Production only for a live app, Sandbox only for a sandbox app: a one-time purchase does not say which it is.",
    "Enable trials, subscriptions, intro and promo offers, one-time purchases and refunds.",
    "Use the test button there, or make a sandbox purchase.",
  ],
  userId: "The user id you pass to Apphud.start or updateUserID, not Apphud's own.",
  retries: "None. Every event is sent once, so an event that does not reach us is lost.",
  unsure: [
    "Only subscriptions carry their environment. A one-time purchase takes that of the person's subscriptions, and counts as production if there are none: choose Production only for a live app.",
  ],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: [
        "subscription_started",
        "trial_started",
        "trial_converted",
        "intro_started",
        "intro_converted",
        "promo_started",
        "promo_converted",
        "promo_renewed",
        "non_renewing_purchase",
      ],
      does: "confirms",
      why: "The referee got something from the store. A trial is not paid, nor is an offer that cost nothing",
    },
    {
      types: ["subscription_renewed", "intro_renewed"],
      does: "renews",
      why: "It may be older than the code",
    },
    {
      types: [
        "subscription_refunded",
        "intro_refunded",
        "promo_refunded",
        "trial_refunded",
        "non_renewing_purchase_refunded",
      ],
      does: "reverses",
      why: "The purchase was refunded",
    },
    {
      types: [
        "trial_canceled",
        "trial_expired",
        "subscription_canceled",
        "subscription_expired",
        "autorenew_enabled",
        "autorenew_disabled",
        "billing_issue",
        "user_created",
        "paywall_shown",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://docs.apphud.com/docs/webhook",
};
