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

const recurring = z.object({ usage_type: text }).nullish().catch(undefined);
const price = z.object({ unit_amount: amount, recurring, product: reference }).nullish().catch(undefined);
const details = z.object({ product: reference });
/** Of an invoice's line, in newer versions of Stripe's API. */
const pricing = z.object({ price_details: details }).nullish().catch(undefined);
const items = z.object({ data: z.array(z.object({ price, pricing, quantity: amount })) });

const stripeObject = z.object({
  id: text,
  metadata,
  client_reference_id: text,
  customer: reference,
  subscription: reference,
  payment_intent: reference,
  charge: reference,
  /** Of an invoice: newer versions of Stripe's API nest it under `parent`. */
  subscription_details: about,
  parent: z.object({ subscription_details: about }).nullish().catch(undefined),
  mode: text,
  status: text,
  payment_status: text,
  billing_reason: text,
  collection_method: text,
  currency: text,
  amount,
  amount_paid: amount,
  amount_total: amount,
  refunded: flag,
  captured: flag,
  discount: z.unknown().optional(),
  discounts: list,
  items: items.optional().catch(undefined),
  lines: items.optional().catch(undefined),
});

const schema = z.object({
  type: z.string().min(1),
  id: text,
  created: seconds,
  livemode: flag,
  before: z.object({ status: text }).catch({}),
});

/** The object of an event: a session, a subscription, an invoice, a charge or a dispute. */
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
  const { id, payment_intent, charge } = object;
  const subscription = id?.startsWith("sub_") ? id : object.subscription;
  return subscription ?? detailsOf(object)?.subscription ?? payment_intent ?? charge ?? id ?? null;
}

const sale = z.object({ object: z.literal("event"), data: z.object({ object: stripeObject }) });

/** Currencies that Stripe does not count in hundredths, as it does ISK and UGX: docs.stripe.com/currencies. */
const UNITS = new Map([
  ...["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA"].map((code) => [code, 1] as const),
  ...["PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"].map((code) => [code, 1] as const),
  ...["BHD", "JOD", "KWD", "OMR", "TND"].map((code) => [code, 1_000] as const),
]);

/** The product and the price of an event; undefined for the payload of another provider. */
export function stripeSale(payload: unknown): { product: string | null; price: string | null } | undefined {
  const event = sale.safeParse(payload);
  if (!event.success) return undefined;
  const { items, lines, amount_total, amount_paid, amount, ...object } = event.data.data.object;
  const sold = items?.data ?? lines?.data ?? [];
  const products = sold.map(({ price, pricing }) => price?.product ?? pricing?.price_details.product);
  const currency = object.currency?.toUpperCase() ?? "";
  // A subscription names only the prices of its products.
  const cost = ({ price, quantity = 1 }: (typeof sold)[number]) => (price?.unit_amount ?? NaN) * quantity;
  const listed = items?.data.reduce((sum, item) => sum + cost(item), 0);
  const total = amount_total ?? amount_paid ?? amount ?? listed;
  const isKnown = total !== undefined && Number.isFinite(total);
  return {
    product: products.find((id) => id !== undefined) ?? null,
    price: isKnown ? `${total / (UNITS.get(currency) ?? 100)} ${currency}`.trim() : null,
  };
}
