import type { ProviderWords } from "@/lib/providers/provider";

export const iaphubWords: ProviderWords = {
  label: "IAPHUB",
  proof: "`X-Auth-Token` is the connection's secret",
  secretLabel: "Webhook token",
  signingSecretLabel: null,
  steps: [
    "In IAPHUB, open the settings of your app, then Webhooks.",
    "Paste the address as the URL and the secret as the token.",
    "Switch on purchases, refunds, subscription renewals and user id updates.",
    "Make a sandbox purchase to try it out.",
  ],
  userId: "The id that you give to Iaphub.login.",
  retries: "Whether it tries again is not documented where we could read it.",
  unsure: [
    "All of this is read from public samples and clients, not from IAPHUB's own reference.",
    "Public samples give a purchase and its refund one id, so an event is known by type and id together.",
  ],
  ownNames: ["events"],
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
    { types: ["refund"], does: "reverses", why: "The money went back" },
    { types: ["user_id_update"], does: "links", why: "It names the old and the new id" },
    {
      types: [
        ...["subscription_cancel", "subscription_uncancel", "subscription_expire", "subscription_pause"],
        ...["subscription_replace", "subscription_product_change", "subscription_renewal_retry"],
      ],
      does: "ignored",
      why: "They tell of no redemption",
    },
  ],
  documentation: "https://www.iaphub.com/docs",
};
