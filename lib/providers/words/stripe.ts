import type { ProviderWords } from "@/lib/providers/provider";

export const stripeWords: ProviderWords = {
  label: "Stripe",
  proof: "`Stripe-Signature` with the secret that Stripe shows for the endpoint",
  secretLabel: "Signing secret",
  signingSecretLabel: null,
  steps: [
    "In Stripe, open Developers, then Webhooks, and add an endpoint with the address.",
    "Choose the events checkout.session.completed, customer.subscription.created, customer.subscription.updated, invoice.paid and charge.refunded.",
    "Copy the signing secret of the endpoint, which begins with whsec_, into this connection.",
    "Write the user's id into metadata as app_user_id when you create the session, and into subscription_data.metadata for a subscription.",
  ],
  userId:
    "metadata.app_user_id of the session, subscription, invoice or charge; appUserId, referee_uid, user_id, userId and uid are read too, then client_reference_id; a key of your own, entered with the connection, comes before them all. The customer is remembered as that person, so a refund without metadata finds them.",
  retries: "Tries again for up to three days in live mode, and a few times in a sandbox.",
  unsure: [
    "Purchases on the web redeem no store code. Connect Stripe only where a web purchase of the referee is meant to count.",
    "A refund of a part is ignored.",
  ],
  ownNames: ["userIdKey"],
  needs: [],
  events: [
    {
      types: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      when: "unless it is unpaid or only keeps a card",
      does: "confirms",
      why: "The referee bought something; with nothing to pay it is not paid",
    },
    {
      types: ["customer.subscription.created"],
      when: "with `status` `active` or `trialing`",
      does: "confirms",
      why: "A subscription began; a trial is not paid",
    },
    {
      types: ["customer.subscription.updated"],
      when: "that turns `trialing` or `incomplete` into `active`",
      does: "confirms",
      why: "The first payment of a subscription",
    },
    {
      types: ["invoice.paid"],
      when: "with `billing_reason` `subscription_create`",
      does: "confirms",
      why: "The first invoice; one of 0 is not paid",
    },
    {
      types: ["invoice.paid"],
      when: "with `billing_reason` `subscription_cycle`",
      does: "renews",
      why: "It may be older than the referral",
    },
    {
      types: ["charge.refunded"],
      when: "with `refunded`",
      does: "reverses",
      why: "All of the money went back",
    },
    {
      types: ["customer.created", "payment_intent.succeeded", "customer.subscription.deleted"],
      does: "ignored",
      why: "They tell of no purchase that another event does not tell of",
    },
  ],
  documentation: "https://docs.stripe.com/webhooks",
};
