import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const appleLabels: ProviderLabels = {
  label: "Apple App Store",
  proof:
    "`signedPayload` is signed by Apple, through certificates up to Apple's root, for the bundle id and Apple app id of the app's settings",
  secretLabel: "Secret",
  signingSecretLabel: null,
  steps: [
    "Enter the bundle id and the Apple app id in the app's settings: only their notifications are accepted.",
    "In App Store Connect, open your app, then App Information, and find App Store Server Notifications.",
    "Enter the address as the production server URL, version 2. The sandbox server URL takes the address of a connection of your sandbox app.",
    "Set appAccountToken to the user's UUID with every purchase in the app.",
    "Request a test notification with the App Store Server API, or make a sandbox purchase.",
  ],
  userId:
    "The appAccountToken of the transaction, a UUID. A code redeemed outside the app carries none until the app sets it for that transaction; without it the event stays unmatched.",
  retries: "After 1, 12, 24, 48 and 72 hours; never in the sandbox.",
  unsure: [
    "Chain, marks, dates and signature of the certificates are checked; revocation is not looked up online.",
    "Apple does not document whether a first redemption of a code sends SUBSCRIBED or OFFER_REDEEMED; both confirm.",
    "The payment after a free trial or a free offer is a plain DID_RENEW. Where only paid purchases confirm, it counts after its trial.",
  ],
  needs: ["iosBundleId", "appleAppId"],
  events: [
    {
      types: ["SUBSCRIBED", "ONE_TIME_CHARGE"],
      does: "confirms",
      why: "The referee got something from the store; an `offerDiscountType` of `FREE_TRIAL` is not paid",
    },
    {
      types: ["OFFER_REDEEMED"],
      when: "with `subtype` `INITIAL_BUY` or `RESUBSCRIBE`",
      does: "confirms",
      why: "A subscription began",
    },
    {
      types: ["OFFER_REDEEMED", "DID_RENEW"],
      when: "with `offerType` 3",
      does: "confirms",
      why: "The period was redeemed with an offer code",
    },
    { types: ["OFFER_REDEEMED", "DID_RENEW"], does: "renews", why: "It may be older than the code" },
    {
      types: ["REFUND"],
      when: "with `revocationType` `REFUND_PRORATED`",
      does: "ignored",
      why: "A part was refunded; the purchase stood for a while",
    },
    { types: ["REFUND"], does: "reverses", why: "The purchase was refunded" },
    { types: ["REFUND_REVERSED"], does: "restores", why: "The refund was reversed" },
    {
      types: [
        "TEST",
        "DID_CHANGE_RENEWAL_STATUS",
        "DID_CHANGE_RENEWAL_PREF",
        "EXPIRED",
        "DID_FAIL_TO_RENEW",
        "GRACE_PERIOD_EXPIRED",
        "PRICE_INCREASE",
        "REFUND_DECLINED",
        "CONSUMPTION_REQUEST",
        "REVOKE",
        "RENEWAL_EXTENDED",
        "RENEWAL_EXTENSION",
        "EXTERNAL_PURCHASE_TOKEN",
        "METADATA_UPDATE",
      ],
      does: "ignored",
      why: "They report no redemption; REVOKE ends family sharing",
    },
  ],
  documentation: "https://developer.apple.com/documentation/appstoreservernotifications",
};
