import { randomUUID } from "node:crypto";
import { parseJsonObject } from "@/lib/platform/json";
import type { Adapter, SampleRequest } from "@/lib/program/providers/common/adapter";
import { linksBetween } from "@/lib/program/providers/common/fields";
import { testPurchase } from "@/lib/program/providers/common/sample";
import { demand, hexHmac, isTimedHmac } from "@/lib/program/providers/common/signature";
import { stripeConfirmation } from "@/lib/program/providers/stripe/confirmation";
import { stripeEvent, stripePurchase, stripeUids } from "@/lib/program/providers/stripe/event";

/** Stripe: `Stripe-Signature` with the signing secret that Stripe shows for the endpoint. */
export const stripe: Adapter = {
  authenticate(delivery) {
    const signed = isTimedHmac(delivery.headers.get("stripe-signature"), delivery, delivery.secret);
    demand(signed, "Stripe-Signature is missing, wrong or older than five minutes");
  },
  read({ rawBody, ownNames }) {
    const payload = parseJsonObject(rawBody);
    const { object, ...event } = stripeEvent(payload, rawBody);
    const uids = stripeUids(object, ownNames?.userIdKey);
    const customer = object.customer ? [object.customer] : [];
    return {
      eventId: event.id,
      type: event.type,
      uids: [...new Set([...uids, ...customer])],
      confirmation: stripeConfirmation(event, object, uids.length === 0),
      occurredAt: event.created,
      purchaseId: stripePurchase(object),
      // Refunds name only the customer, so the customer is linked to this person.
      links: linksBetween(customer, uids.slice(0, 1)),
      payload,
    };
  },
  secret: {
    from: "provider",
    pattern: /^whsec_[A-Za-z0-9+/=_-]{16,200}$/,
    expected: "The signing secret begins with whsec_",
  },
  sample,
};

const TYPES = {
  purchase: { type: "checkout.session.completed", mode: "payment", payment_status: "paid" },
  refund: { type: "charge.refunded", refunded: true },
  hello: { type: "customer.created" },
};

function sample({ kind, uid, secret, now }: SampleRequest) {
  const { type, ...about } = TYPES[kind];
  const object = {
    ...about,
    id: `test_${randomUUID()}`,
    payment_intent: testPurchase(uid),
    metadata: { app_user_id: uid },
  };
  const created = Math.floor(now / 1000);
  const event = { id: `evt_${randomUUID()}`, object: "event", type, created, livemode: false };
  const rawBody = new TextEncoder().encode(JSON.stringify({ ...event, data: { object } }));
  const signature = `t=${created},v1=${hexHmac(secret, `${created}.`, rawBody)}`;
  return { headers: new Headers({ "stripe-signature": signature }), rawBody };
}
