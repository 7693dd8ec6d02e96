import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const purchaselyLabels: ProviderLabels = {
  label: "Purchasely",
  proof:
    "`X-PURCHASELY-REQUEST-SIGNATURE` and `X-PURCHASELY-TIMESTAMP`, with the shared secret of its console",
  secretLabel: "Client shared secret",
  signingSecretLabel: null,
  steps: [
    "In the Purchasely console, open Settings, then Webhooks, and enter the address as the URL of your server.",
    "Copy the client shared secret from the same page into this connection.",
    "Enable lifecycle and offer events. ACTIVATE is needed for one-time purchases only.",
    "Purchasely shows an error in your app while the answer is not 200: try it with a sandbox purchase first.",
  ],
  userId: "The id you pass to Purchasely.userLogin. Its anonymous id counts only if there is no other.",
  retries:
    "Up to 25 times in 20 days; later events of the person wait. It expects 200 within 10 s. A 404 may count as delivered.",
  unsure: [
    "The signature is hex HMAC-SHA256 of the time and the body, as in the samples of its documentation.",
    "It is not documented whether each try is signed again, so a signed time may be a day old; an event that is delivered twice takes effect once.",
    "The refund of a one-time purchase arrives as DEACTIVATE, like a transfer, and is ignored: reverse the referral by hand.",
  ],
  ownNames: ["events"],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: [
        "SUBSCRIPTION_STARTED",
        "TRIAL_STARTED",
        "INTRO_OFFER_STARTED",
        "PROMO_CODE_STARTED",
        "TRIAL_CONVERTED",
        "INTRO_OFFER_CONVERTED",
        "PROMO_CODE_CONVERTED",
      ],
      does: "confirms",
      why: "The referee got something from the store. Trials, and promo codes without a price, are paid once they convert",
    },
    {
      types: ["ACTIVATE"],
      when: "with a `purchase_type` that does not renew",
      does: "confirms",
      why: "A one-time purchase has no other event",
    },
    {
      types: ["ACTIVATE"],
      when: "of such a purchase that is older than a day",
      does: "renews",
      why: "A restore, perhaps by another user",
    },
    {
      types: ["SUBSCRIPTION_RENEWED"],
      when: "with `offer_type` `PROMO_CODE` outside Google Play",
      does: "confirms",
      why: "It shows the code",
    },
    {
      types: ["SUBSCRIPTION_REACTIVATED", "PROMOTIONAL_OFFER_STARTED", "PROMOTIONAL_OFFER_CONVERTED"],
      when: "with `offer_type` `PROMO_CODE`",
      does: "confirms",
      why: "It shows the code",
    },
    {
      types: [
        "SUBSCRIPTION_RENEWED",
        "SUBSCRIPTION_REACTIVATED",
        "PROMOTIONAL_OFFER_STARTED",
        "PROMOTIONAL_OFFER_CONVERTED",
      ],
      does: "renews",
      why: "It may be older than the code",
    },
    { types: ["SUBSCRIPTION_REFUNDED_REVOKED"], does: "reverses", why: "The purchase was refunded" },
    {
      types: [
        "SUBSCRIPTION_TRANSFERRED",
        "SUBSCRIPTION_RECEIVED",
        "ONE_TIME_PURCHASE_TRANSFERRED",
        "ONE_TIME_PURCHASE_RECEIVED",
      ],
      does: "links",
      why: "A login or a restore gave the purchase to another id",
    },
    {
      types: [
        "DEACTIVATE",
        "RENEWAL_DISABLED",
        "RENEWAL_ENABLED",
        "SUBSCRIPTION_TERMINATED",
        "TRIAL_NOT_CONVERTED",
        "GRACE_PERIOD_STARTED",
        "FAMILY_SHARED_REVOKED",
        "TRANSACTION_PROCESSED",
        "SUBSCRIPTION_UPGRADED",
        "SUBSCRIPTION_DOWNGRADED",
        "SUBSCRIPTION_CROSSGRADED",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://docs.purchasely.com/docs/webhook",
};
