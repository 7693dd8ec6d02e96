import type { Confirmation } from "@/lib/providers/adapter";
import { IGNORED } from "@/lib/providers/confirmation";
import type { StripeEvent, StripeObject } from "@/lib/providers/stripe-event";

type Meaning = Partial<Omit<Confirmation, "sandbox">>;

/** What each type means; the others tell of no purchase and no refund. */
const MEANINGS: Record<string, (object: StripeObject, event: Omit<StripeEvent, "object">) => Meaning> = {
  "checkout.session.completed": ofSession,
  "checkout.session.async_payment_succeeded": ofSession,
  "customer.subscription.created": ({ status }) => {
    if (status === "trialing") return { kind: "confirm" };
    return status === "active" ? { kind: "confirm", paid: true } : {};
  },
  "customer.subscription.updated": ({ status }, { before }) => {
    const began = before.status === "trialing" || before.status === "incomplete";
    return began && status === "active" ? { kind: "confirm", paid: true } : {};
  },
  "invoice.paid": ({ billing_reason, amount_paid }) => {
    const paid = (amount_paid ?? 0) > 0;
    if (billing_reason === "subscription_create") return { kind: "confirm", paid };
    return billing_reason === "subscription_cycle" ? { kind: "confirm", paid, renewal: true } : {};
  },
  // Part of the money back is a kindness or a price adjusted, not a purchase undone.
  "charge.refunded": ({ refunded }) => (refunded === true ? { kind: "reverse", paid: true } : {}),
};

/** The table of docs/providers.md. */
export function stripeConfirmation(event: Omit<StripeEvent, "object">, object: StripeObject): Confirmation {
  const meaning = Object.hasOwn(MEANINGS, event.type) ? MEANINGS[event.type]?.(object, event) : {};
  return { ...IGNORED, ...meaning, sandbox: event.livemode === false };
}

/** A session for keeping a card buys nothing; one whose bank transfer is under way has not bought yet. */
function ofSession({ mode, payment_status, amount_total }: StripeObject): Meaning {
  if (mode === "setup" || payment_status === "unpaid") return {};
  return { kind: "confirm", paid: payment_status === "paid" && amount_total !== 0 };
}
