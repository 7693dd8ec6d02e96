import { z } from "zod";
import {
  amount,
  flag,
  idOfBody,
  list,
  objectField,
  readFields,
  seconds,
  text,
  texts,
} from "@/lib/program/providers/common/fields";

/** Metadata keys that may hold the app's user id; the first key present counts. */
const STRIPE_METADATA = ["app_user_id", "appUserId", "referee_uid", "user_id", "userId", "uid"] as const;

const metadata = z.record(z.string(), z.unknown()).nullish().catch(undefined);

/** A reference is an id, or the whole object if the owner has configured Stripe to expand it. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .optional()
  .catch(undefined);

const about = z.object({ metadata, subscription: reference }).nullish().catch(undefined);

const price = z.object({ unit_amount: amount }).nullish().catch(undefined);
const items = z.object({ data: z.array(z.object({ price })) });

const stripeObject = z.object({
  id: text,
  metadata,
  client_reference_id: text,
  customer: reference,
  subscription: reference,
  payment_intent: reference,
  /** Of an invoice: newer versions of Stripe's API nest it under `parent`. */
  subscription_details: about,
  parent: z.object({ subscription_details: about }).nullish().catch(undefined),
  mode: text,
  status: text,
  payment_status: text,
  billing_reason: text,
  collection_method: text,
  amount_paid: amount,
  amount_total: amount,
  refunded: flag,
  discount: z.unknown().optional(),
  discounts: list,
  items: items.optional().catch(undefined),
});

const schema = z.object({
  type: z.string().min(1),
  id: text,
  created: seconds,
  livemode: flag,
  before: z.object({ status: text }).catch({}),
});

/** The object of an event: a session, a subscription, an invoice or a charge. */
export type StripeObject = z.output<typeof stripeObject>;

export type StripeEvent = z.output<typeof schema> & { id: string };

/** Reads `{id, type, created, livemode, data: {object, previous_attributes}}`. Throws VALIDATION_ERROR. */
export function stripeEvent(
  payload: Record<string, unknown>,
  rawBody: Uint8Array,
): StripeEvent & { object: StripeObject } {
  const data = objectField(payload, "data");
  const event = readFields(schema, { ...payload, before: data.previous_attributes ?? {} }, "type");
  return { ...event, id: event.id || idOfBody(rawBody), object: stripeObject.catch({}).parse(data.object) };
}

const detailsOf = ({ parent, subscription_details }: StripeObject) =>
  parent?.subscription_details ?? subscription_details;

/** The app's ids of the person, from the object's own metadata, its subscription's, or the reference of a session. */
export function stripeUids(object: StripeObject, ownKey?: string | null): string[] {
  const names = [...(ownKey ? [ownKey] : []), ...STRIPE_METADATA];
  const named = [object.metadata, detailsOf(object)?.metadata].map((record) =>
    names.map((name) => record?.[name]).find((value) => typeof value === "string" && value !== ""),
  );
  return texts([...named, object.client_reference_id]);
}

/** The id that a purchase and its refund share: the subscription, else the payment. */
export function stripePurchase(object: StripeObject): string | null {
  const subscription = object.id?.startsWith("sub_") ? object.id : object.subscription;
  return subscription ?? detailsOf(object)?.subscription ?? object.payment_intent ?? object.id ?? null;
}
