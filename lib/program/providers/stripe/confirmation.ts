import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { IGNORED, isFree, withoutName } from "@/lib/program/providers/common/confirmation";
import type { StripeEvent, StripeObject } from "@/lib/program/providers/stripe/event";

type Meaning = Partial<Omit<Confirmation, "sandbox">>;

/** The effect of each type; all others report no purchase and no refund. */
const MEANINGS: Record<string, (object: StripeObject, event: StripeEvent) => Meaning> = {
  "checkout.session.completed": ofSession,
  "checkout.session.async_payment_succeeded": ofSession,
  "customer.subscription.created": (object) => {
    if (object.status === "trialing") return { kind: "confirm" };
    return object.status === "active" ? { kind: "confirm", paid: !mayBeUnpaid(object) } : {};
  },
  "customer.subscription.updated": (object, { before }) => {
    if (object.status !== "active") return {};
    // Stripe charges the card about an hour after a trial, and no refund reports a failed charge.
    if (before.status === "trialing") return { kind: "confirm" };
    return before.status === "incomplete" ? { kind: "confirm", paid: !mayBeUnpaid(object) } : {};
  },
  "invoice.paid": ({ billing_reason, amount_paid }) => {
    const paid = (amount_paid ?? 0) > 0;
    if (billing_reason === "subscription_create") return { kind: "confirm", paid };
    // The next period, or a change such as the early end of a trial.
    const renewal = ["subscription_cycle", "subscription_update"].includes(billing_reason ?? "");
    return renewal ? { kind: "confirm", paid, renewal } : {};
  },
  // Money that was reserved at the checkout, whose session was unpaid.
  "charge.captured": () => ({ kind: "confirm", paid: true }),
  // A partial refund is a gesture or a price adjustment; the purchase stands. An amount that was only reserved on a card is refunded
  // when it is released, and nothing was bought.
  "charge.refunded": ({ refunded, captured }) =>
    refunded === true && captured !== false ? { kind: "reverse", paid: true } : {},
  // A lost dispute takes the money back without a refund.
  "charge.dispute.closed": ({ status }) => (status === "lost" ? { kind: "reverse", paid: true } : {}),
};

/** The table of docs/providers.md. `unnamed`: the event names only Stripe's customer. */
export function stripeConfirmation(event: StripeEvent, object: StripeObject, unnamed: boolean): Confirmation {
  const meaning = Object.hasOwn(MEANINGS, event.type) ? MEANINGS[event.type]?.(object, event) : {};
  return withoutName({ ...IGNORED, ...meaning, sandbox: event.livemode === false }, unnamed);
}

/** A session that only stores a card buys nothing; a session with a pending bank transfer has not bought yet. */
function ofSession({ mode, payment_status, amount_total }: StripeObject): Meaning {
  if (mode === "setup" || payment_status === "unpaid") return {};
  return { kind: "confirm", paid: payment_status === "paid" && amount_total !== 0 };
}

/**
 * A subscription names its prices before discounts; its invoice names the amount paid. If invoices are sent to the
 * customer, it is active before the first one is paid, and a metered price is due only after its period.
 */
function mayBeUnpaid({ collection_method, discount, discounts, items }: StripeObject): boolean {
  if (collection_method === "send_invoice") return true;
  const data = items?.data ?? [];
  const due = data.map(({ price }) => (price?.recurring?.usage_type === "metered" ? 0 : price?.unit_amount));
  const allFree = due.length > 0 && due.every(isFree);
  return allFree || Boolean(discount) || (discounts ?? []).length > 0;
}
