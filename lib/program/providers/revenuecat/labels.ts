import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const revenuecatLabels: ProviderLabels = {
  label: "RevenueCat",
  proof:
    "`Authorization` is the connection's secret, with or without `Bearer ` before it. With a signing secret set, also `X-RevenueCat-Webhook-Signature`",
  secretLabel: "Authorization header value",
  signingSecretLabel: "Webhook signing secret",
  steps: [
    "In RevenueCat, open your project, then Integrations, then Webhooks, and add a webhook.",
    "Paste the address as the webhook URL and the secret as the authorization header value.",
    "Send both production and sandbox purchases; a live app ignores sandbox purchases.",
    "If you enable signed webhooks, copy RevenueCat's signing secret into this connection.",
    "Press Send test event there. It arrives here as TEST and changes nothing.",
  ],
  userId:
    "The id you pass to Purchases.logIn or configure. Anonymous ids match too, as the original id and the aliases of a person who logged in later.",
  retries: "Up to 5 times after any answer but 200, the last 155 minutes after the first.",
  unsure: [
    "RevenueCat's own page does not describe the signature; eight independent projects agree on this form.",
    "On Google Play a change of plan sends PRODUCT_CHANGE and INITIAL_PURCHASE, which confirms like a new purchase.",
  ],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: ["INITIAL_PURCHASE", "NON_RENEWING_PURCHASE"],
      does: "confirms",
      why: "The referee got something from the store. A price of 0, as promo codes often make it, is not paid",
    },
    {
      types: ["RENEWAL"],
      when: "with `offer_code` outside Google Play, of period `TRIAL` or `INTRO`, or with `is_trial_conversion`",
      does: "confirms",
      why: "Conversions of trials and some returning subscribers are sent as renewals",
    },
    {
      types: ["RENEWAL"],
      does: "renews",
      why: "It may be older than the code",
    },
    {
      types: ["CANCELLATION"],
      when: "with `cancel_reason` `CUSTOMER_SUPPORT`",
      does: "reverses",
      why: "The purchase was refunded",
    },
    { types: ["REFUND_REVERSED"], does: "restores", why: "The refund was reversed" },
    {
      types: ["TRANSFER", "SUBSCRIBER_ALIAS"],
      does: "links",
      why: "The purchase moves to another id of the person; nothing was redeemed",
    },
    {
      types: ["CANCELLATION"],
      does: "ignored",
      why: "Auto-renewal was turned off; the period continues, and people on a trial often do this right away",
    },
    {
      types: ["TEMPORARY_ENTITLEMENT_GRANT"],
      does: "ignored",
      why: "Granted during a store outage; the real purchase follows",
    },
    { types: ["INVOICE_ISSUANCE"], does: "ignored", why: "Not paid yet" },
    {
      types: [
        "TEST",
        "EXPIRATION",
        "BILLING_ISSUE",
        "PRODUCT_CHANGE",
        "UNCANCELLATION",
        "SUBSCRIPTION_PAUSED",
        "SUBSCRIPTION_EXTENDED",
        "VIRTUAL_CURRENCY_TRANSACTION",
        "EXPERIMENT_ENROLLMENT",
        "PURCHASE_REDEEMED",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://www.revenuecat.com/docs/integrations/webhooks",
};
