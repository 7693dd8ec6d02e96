import type { ProviderWords } from "@/lib/providers/provider";

export const adaptyWords: ProviderWords = {
  label: "Adapty",
  proof: "`Authorization` is the connection's secret",
  secretLabel: "Authorization header value",
  signingSecretLabel: null,
  steps: [
    "In Adapty, open Integrations, then Webhook.",
    "Paste the address as the production endpoint and the secret as its authorization header value. For sandbox purchases do the same with a connection of your sandbox app.",
    "Keep the event names as Adapty suggests them, or enter yours with the connection here. Switch on at least subscriptions, trials, purchases and refunds.",
    "Save. Adapty posts an empty object, which arrives here as verification.",
  ],
  userId: "The customer user id that you give to Adapty.identify or activate.",
  retries:
    "Takes every answer from 200 to 404 as delivered, so a wrong secret loses events; tries up to 9 more times within 24 hours after others.",
  unsure: [
    "Names of events can be changed at Adapty. Capitals, spaces and hyphens do not matter here; say with the connection what a name of your own stands for, else it is ignored.",
  ],
  ownNames: ["events"],
  needs: [],
  events: [
    {
      types: ["subscription_started", "trial_started", "trial_converted", "non_subscription_purchase"],
      does: "confirms",
      why: "The referee got something from the store; a trial is not paid",
    },
    {
      types: ["subscription_renewed"],
      when: "with `store_offer_category` `offer_code`",
      does: "confirms",
      why: "An existing subscriber used an offer code",
    },
    { types: ["subscription_renewed"], does: "renews", why: "It may be older than the code" },
    {
      types: ["subscription_refunded"],
      when: "with `cancellation_reason` `upgraded` or `new_subscription_replace`",
      does: "ignored",
      why: "The person moved to another plan and paid for that",
    },
    {
      types: ["subscription_refunded", "non_subscription_purchase_refunded"],
      does: "reverses",
      why: "The money went back",
    },
    {
      types: ["access_level_updated"],
      does: "links",
      why: "It names the profiles that share the access",
    },
    {
      types: [
        ...["subscription_renewal_cancelled", "subscription_renewal_reactivated", "subscription_expired"],
        ...["subscription_paused", "subscription_deferred", "trial_renewal_cancelled", "trial_expired"],
        ...["trial_renewal_reactivated", "entered_grace_period", "billing_issue_detected", "verification"],
      ],
      does: "ignored",
      why: "They tell of no redemption",
    },
  ],
  documentation: "https://adapty.io/docs/webhook",
};
