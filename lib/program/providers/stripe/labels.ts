import type { ProviderLabels } from "@/lib/program/providers/common/labels";

export const stripeLabels: ProviderLabels = {
  label: "Stripe",
  proof: "`Stripe-Signature` with the secret that Stripe shows for the endpoint",
  secretLabel: "Signing secret",
  signingSecretLabel: null,
  steps: [
    "In Stripe, open Developers, then Webhooks, and add an endpoint with the address.",
    "Choose the events checkout.session.completed, customer.subscription.created, customer.subscription.updated, invoice.paid, charge.refunded and charge.dispute.closed, and charge.captured if you capture payments later.",
    "Copy the signing secret of the endpoint, which begins with whsec_, into this connection.",
    "Write the user's id into metadata as app_user_id when you create the session, into subscription_data.metadata for a subscription, and into payment_intent_data.metadata for a one-time payment, so that its refund finds the user.",
  ],
  userId:
    "metadata.app_user_id of the session, subscription, invoice or charge; appUserId, referee_uid, user_id, userId and uid are read too, then client_reference_id; a custom key, entered in the connection's menu, comes before them all. The customer is linked to that person, so a refund without metadata finds them.",
  retries: "For up to three days in live mode, and a few times in a sandbox.",
  unsure: [
    "Web purchases redeem no store code. Connect Stripe only if a web purchase of the referee is meant to count.",
    "A refund names a payment and not its subscription, so it reverses a referral that a subscription of the same customer confirmed.",
    "A dispute names only its payment, so it finds a one-time payment of the last 90 days; link others under Unmatched by hand.",
  ],
  ownNames: ["userIdKey"],
  needs: [],
  events: [
    {
      types: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      when: "unless it is unpaid or only stores a card",
      does: "confirms",
      why: "The referee bought something; with nothing to pay it is not paid",
    },
    { types: ["charge.captured"], does: "confirms", why: "A payment was only reserved until now" },
    {
      types: ["customer.subscription.created"],
      when: "with `status` `active` or `trialing`",
      does: "confirms",
      why: "A subscription began; a trial or a metered price is not paid, and with a discount only the invoice tells",
    },
    {
      types: ["customer.subscription.updated"],
      when: "that turns `trialing` or `incomplete` into `active`",
      does: "confirms",
      why: "The subscription began; after a trial it is not paid until its invoice is",
    },
    {
      types: ["invoice.paid"],
      when: "with `billing_reason` `subscription_create`",
      does: "confirms",
      why: "The first invoice; one of 0 is not paid",
    },
    {
      types: ["invoice.paid"],
      when: "with `billing_reason` `subscription_cycle` or `subscription_update`",
      does: "renews",
      why: "It may be older than the referral",
    },
    {
      types: ["charge.refunded"],
      when: "with `refunded`, unless nothing was captured",
      does: "reverses",
      why: "The full amount was refunded",
    },
    {
      types: ["charge.dispute.closed"],
      when: "with `status` `lost`",
      does: "reverses",
      why: "The bank took the payment back; a dispute that is won changes nothing",
    },
    {
      types: ["customer.created", "payment_intent.succeeded", "customer.subscription.deleted"],
      does: "ignored",
      why: "They report no purchase that another event does not report",
    },
  ],
  documentation: "https://docs.stripe.com/webhooks",
};
