import { z } from "zod";
import { amount, flag, idOfBody, objectField, readFields, seconds, text } from "@/lib/providers/fields";
import { texts } from "@/lib/providers/links";

/** Names under which the app's user id may stand in an object's metadata, the first that is there counts. */
export const STRIPE_METADATA = [
  "app_user_id",
  "appUserId",
  "referee_uid",
  "user_id",
  "userId",
  "uid",
] as const;

const metadata = z.record(z.string(), z.unknown()).nullish().catch(undefined);

/** A reference is an id, or the whole object where the owner has Stripe expand it. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .optional()
  .catch(undefined);

const about = z.object({ metadata, subscription: reference }).nullish().catch(undefined);

const object = z.object({
  id: text,
  metadata,
  client_reference_id: text,
  customer: reference,
  subscription: reference,
  payment_intent: reference,
  /** Of an invoice: newer versions of Stripe's API keep it under `parent`. */
  subscription_details: about,
  parent: z.object({ subscription_details: about }).nullish().catch(undefined),
  mode: text,
  status: text,
  payment_status: text,
  billing_reason: text,
  amount_paid: amount,
  amount_total: amount,
  refunded: flag,
});

const schema = z.object({
  type: z.string().min(1),
  id: text,
  created: seconds,
  livemode: flag,
  before: z.object({ status: text }).catch({}),
});

/** The object that an event tells of: a session, a subscription, an invoice or a charge. */
export type StripeObject = z.output<typeof object>;

export type StripeEvent = z.output<typeof schema> & { id: string };

/** Reads `{id, type, created, livemode, data: {object, previous_attributes}}`. Throws VALIDATION_ERROR. */
export function stripeEvent(
  payload: Record<string, unknown>,
  rawBody: Uint8Array,
): StripeEvent & { object: StripeObject } {
  const data = objectField(payload, "data");
  const event = readFields(schema, { ...payload, before: data.previous_attributes ?? {} }, "type");
  return { ...event, id: event.id || idOfBody(rawBody), object: object.catch({}).parse(data.object) };
}

const detailsOf = (one: StripeObject) => one.parent?.subscription_details ?? one.subscription_details;

/** The app's ids of the person, from the object's own metadata, its subscription's, or the reference of a session. */
export function stripeUids(one: StripeObject, ownKey?: string | null): string[] {
  const names = [...(ownKey ? [ownKey] : []), ...STRIPE_METADATA];
  const named = [one.metadata, detailsOf(one)?.metadata].map((record) =>
    names.map((name) => record?.[name]).find((value) => typeof value === "string" && value !== ""),
  );
  return texts([...named, one.client_reference_id]);
}

/** What a purchase and its refund have in common: the subscription, else the payment. */
export function stripePurchase(one: StripeObject): string | null {
  const subscription = one.id?.startsWith("sub_") ? one.id : one.subscription;
  return subscription ?? detailsOf(one)?.subscription ?? one.payment_intent ?? one.id ?? null;
}
