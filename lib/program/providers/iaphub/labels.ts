import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const iaphubLabels: ProviderLabels = {
  label: "IAPHUB",
  proof: "`X-Auth-Token` is the connection's secret",
  secretLabel: "Webhook token",
  signingSecretLabel: null,
  steps: [
    "In IAPHUB, open the settings of your app, then Webhooks.",
    "Paste the address as the URL and the secret as the token.",
    "Choose version 2 of the webhooks. Enable purchases, refunds, subscription renewals, expirations and restores, user id updates and transfers.",
    "Make a sandbox purchase to test it.",
  ],
  userId: "The id you pass to Iaphub.login.",
  retries: "Once at once, then after 1 minute, 10 minutes, 1 hour and 24 hours.",
  unsure: [
    "In public samples a purchase and its refund share an id, so type and id together identify an event.",
    "A refund or an end with `refundReason` `subscription_replaced` is ignored: the person switched to another plan.",
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
      when: "with `promoCode` outside Google Play, or with `isTrialConversion`",
      does: "confirms",
      why: "It shows the code, or the trial that came before",
    },
    { types: ["subscription_renewal"], does: "renews", why: "It may be older than the code" },
    { types: ["refund"], does: "reverses", why: "The purchase was refunded" },
    {
      types: ["subscription_expire"],
      when: "with `isRefunded`",
      does: "reverses",
      why: "The refund of an active subscription has no event of its own",
    },
    { types: ["subscription_restore"], does: "restores", why: "The refund was cancelled" },
    { types: ["user_id_update", "transfer"], does: "links", why: "It names the old and the new id" },
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
