import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const adaptyLabels: ProviderLabels = {
  label: "Adapty",
  proof: "`Authorization` is the connection's secret",
  secretLabel: "Authorization header value",
  signingSecretLabel: null,
  steps: [
    "In Adapty, open Integrations, then Webhook.",
    "Paste the address as the production endpoint and the secret as its authorization header value. For sandbox purchases do the same with a connection of your sandbox app.",
    "Keep the event names that Adapty suggests, or enter yours under Custom names in the connection's menu. Enable at least subscriptions, trials, purchases and refunds.",
    "Turn on Exclude Historical Events, so that subscriptions from before Adapty's SDK are not sent as new.",
    "Save. Adapty posts an empty object, which arrives here as verification.",
  ],
  userId: "The customer user id you pass to Adapty.identify or activate.",
  retries:
    "Up to 9 times within 24 hours. Every answer from 200 to 404 counts as delivered, so a wrong secret loses events.",
  unsure: [
    "On Google Play a change of plan looks like a new purchase and confirms; one without a charge has a price of 0.",
    "With Exclude Historical Events off, Adapty also sends purchases from before the app had its SDK, and they confirm.",
    "Event names can be changed at Adapty. Capitals, spaces and hyphens do not matter; enter what a custom name stands for, or the event is ignored.",
  ],
  ownNames: ["events"],
  webPurchases: true,
  needs: [],
  events: [
    {
      types: ["subscription_started"],
      when: "in the App Store with a `transaction_id` other than its `original_transaction_id` and no `store_offer_category` `offer_code`",
      does: "renews",
      why: "A subscriber changed the plan",
    },
    {
      types: ["subscription_started", "trial_started", "trial_converted", "non_subscription_purchase"],
      does: "confirms",
      why: "The referee got something from the store; a trial is not paid",
    },
    {
      types: ["subscription_renewed"],
      when: "with `store_offer_category` `offer_code` outside Google Play",
      does: "confirms",
      why: "An existing subscriber used an offer code",
    },
    { types: ["subscription_renewed"], does: "renews", why: "It may be older than the code" },
    {
      types: ["subscription_refunded"],
      when: "with `cancellation_reason` `upgraded` or `new_subscription_replace`",
      does: "ignored",
      why: "The person switched to another plan and paid for it",
    },
    {
      types: ["subscription_refunded", "non_subscription_purchase_refunded"],
      does: "reverses",
      why: "The purchase was refunded",
    },
    {
      types: ["access_level_updated"],
      does: "links",
      why: "It names the profiles that share access",
    },
    {
      types: [
        "subscription_renewal_cancelled",
        "subscription_renewal_reactivated",
        "subscription_expired",
        "subscription_paused",
        "subscription_deferred",
        "trial_renewal_cancelled",
        "trial_expired",
        "trial_renewal_reactivated",
        "entered_grace_period",
        "billing_issue_detected",
        "verification",
      ],
      does: "ignored",
      why: "They report no redemption",
    },
  ],
  documentation: "https://adapty.io/docs/webhook",
};
