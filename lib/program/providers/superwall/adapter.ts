import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/platform/json";
import type { Adapter, Confirmation, SampleRequest } from "@/lib/program/providers/common/adapter";
import {
  IGNORED,
  isFree,
  isSandbox,
  offerShowsTheCode,
  storeCounts,
} from "@/lib/program/providers/common/confirmation";
import {
  amount,
  flag,
  idOfBody,
  idText,
  inAnyCase,
  millis,
  objectField,
  readFields,
  text,
} from "@/lib/program/providers/common/fields";
import { demand, isStandardSigned, standardHeaders } from "@/lib/program/providers/common/signature";

const schema = z.object({
  type: z.string().min(1),
  timestamp: millis,
  id: text,
  ts: millis,
  cancelReason: text,
  periodType: text,
  price: amount,
  offerCode: text,
  isFamilyShare: flag,
  isTrialConversion: flag,
  originalAppUserId: text,
  originalTransactionId: idText,
  store: text,
  environment: text,
});

type SuperwallEvent = z.output<typeof schema>;

/** Superwall: signed by Svix, with the secret that Superwall shows for the endpoint. */
export const superwall: Adapter = {
  authenticate(delivery) {
    const signed = isStandardSigned(delivery, "svix");
    demand(signed, "The Svix signature is missing, wrong or older than five minutes");
  },
  read({ rawBody, webPurchases }) {
    const payload = parseJsonObject(rawBody);
    const { type, timestamp } = payload;
    // Superwall's test event concerns no purchase and may have no data.
    const data = type === "test" ? {} : objectField(payload, "data");
    const event = readFields(schema, { ...data, type, timestamp }, "type");
    return {
      eventId: event.id || idOfBody(rawBody),
      type: event.type,
      uids: inAnyCase(event.originalAppUserId),
      confirmation: confirmationOf(event, webPurchases),
      occurredAt: event.ts ?? event.timestamp,
      purchaseId: event.originalTransactionId || null,
      links: [],
      payload,
    };
  },
  secret: {
    from: "provider",
    pattern: /^whsec_[A-Za-z0-9+/]{16,200}={0,2}$/,
    expected: "The signing secret begins with whsec_",
  },
  sample,
};

function confirmationOf(event: SuperwallEvent, webPurchases: boolean | undefined): Confirmation {
  // The organiser of a family's subscription pays for it; the events of the other members have no price.
  const isMember = event.isFamilyShare === true && !event.price;
  if (!storeCounts(event.store, webPurchases) || isMember) return IGNORED;
  const isRenewal = event.type === "renewal";
  const converts = event.isTrialConversion === true;
  // A trial has one period, so its renewal is the conversion, whatever isTrialConversion says. An introductory offer may have
  // several, whose renewals may be older than the code.
  const inTrial = event.periodType === "TRIAL";
  const isTrial = inTrial && !converts && !(isRenewal && event.price);
  const showsTheCode = converts || inTrial || offerShowsTheCode(event.offerCode, event.store);
  return {
    kind: kindOf(event),
    paid: !isTrial && !isFree(event.price),
    renewal: isRenewal && !showsTheCode,
    sandbox: isSandbox(event.environment),
    conversion: converts || (inTrial && !isTrial) || undefined,
  };
}

/** Superwall has no event for a refund: it is any event with a negative price, except a change of plan, which is paid. */
function kindOf({ type, price, cancelReason }: SuperwallEvent): Confirmation["kind"] {
  if (type === "product_change") return "ignore";
  if (price !== undefined && price < 0) return "reverse";
  if (type === "cancellation") return cancelReason === "CUSTOMER_SUPPORT" ? "reverse" : "ignore";
  return ["initial_purchase", "non_renewing_purchase", "renewal"].includes(type) ? "confirm" : "ignore";
}

const KINDS = {
  purchase: { type: "initial_purchase", price: 9.99 },
  refund: { type: "cancellation", price: -9.99, cancelReason: "CUSTOMER_SUPPORT" },
  hello: { type: "expiration", price: 0 },
};

function sample({ kind, uid, secret, now }: SampleRequest) {
  const { type, ...about } = KINDS[kind];
  const data = {
    ...about,
    id: `${randomUUID()}:${type}`,
    name: type,
    ts: now,
    purchasedAt: now,
    originalAppUserId: uid,
    periodType: "NORMAL",
    store: "APP_STORE",
    environment: "SANDBOX",
    productId: "metacode_test",
  };
  const body = JSON.stringify({ object: "event", type, timestamp: now, data });
  const headers = standardHeaders("svix", `msg_${randomUUID()}`, secret, now, body);
  return { headers, rawBody: new TextEncoder().encode(body) };
}
