import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const iaphubLabels: ProviderLabels = {
  label: "IAPHUB",
  proof: "`X-Auth-Token` is the connection's secret",
  secretLabel: "Webhook token",
  signingSecretLabel: null,
  steps: [
    "In IAPHUB, open the settings of your app, then Webhooks.",
    "Paste the address as the URL and the secret as the token.",
    "Enable purchases, refunds, subscription renewals and user id updates.",
    "Make a sandbox purchase to test it.",
  ],
  userId: "The id you pass to Iaphub.login.",
  retries: "Not documented.",
  unsure: [
    "All of this comes from public samples and clients, not from IAPHUB's own reference.",
    "In public samples a purchase and its refund share an id, so type and id together identify an event.",
  ],
  ownNames: ["events"],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: ["purchase"],
      does: "confirms",
      why: "The referee got something from the store; a `subscriptionPeriodType` of `trial` is not paid",
    },
    {
      types: ["subscription_renewal"],
      when: "with `promoCode` or `isTrialConversion`",
      does: "confirms",
      why: "It shows the code, or the trial that came before",
    },
    { types: ["subscription_renewal"], does: "renews", why: "It may be older than the code" },
    { types: ["refund"], does: "reverses", why: "The purchase was refunded" },
    { types: ["user_id_update"], does: "links", why: "It names the old and the new id" },
    {
      types: [
        "subscription_cancel",
        "subscription_uncancel",
        "subscription_expire",
        "subscription_pause",
        "subscription_replace",
        "subscription_product_change",
        "subscription_renewal_retry",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://www.iaphub.com/docs",
};
