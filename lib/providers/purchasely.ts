import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Delivery, Sample } from "@/lib/providers/adapter";
import { documentedName, flag, idOfBody, idText, millis, readFields, text } from "@/lib/providers/fields";
import { linksBetween, texts } from "@/lib/providers/links";
import { purchaselyConfirmation } from "@/lib/providers/purchasely-confirmation";
import { demand, hexHmac, sameText } from "@/lib/providers/signature";

/**
 * Purchasely delivers up to 25 times "in the following hours" and does not say whether it signs each time anew. A
 * recorded delivery sent again within that time is the same event and does nothing.
 */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

const schema = z.object({
  event_name: z.string().trim().min(1),
  event_id: text,
  event_created_at_ms: millis,
  user_id: text,
  anonymous_user_id: text,
  transferred_to_user_id: text,
  transferred_from_user_id: text,
  store: text,
  environment: text,
  offer_type: text,
  purchase_type: text,
  is_family_shared: flag,
  store_original_transaction_id: idText,
});

/** The fields of an event that decide; names as in Purchasely's "Server Events Attributes". */
export type PurchaselyEvent = z.output<typeof schema>;

/** Purchasely: HMAC-SHA256 over the time and the body, with the secret of the webhook in its console. */
export const purchasely: Adapter = {
  authenticate(delivery) {
    const signed = isSigned(delivery);
    demand(signed, "X-PURCHASELY-REQUEST-SIGNATURE is missing, wrong or older than a day");
  },
  read({ rawBody, ownNames }) {
    const payload = parseJsonObject(rawBody);
    const event = readFields(schema, payload, "event_name");
    const name = documentedName(event.event_name, ownNames).toUpperCase();
    const { user_id, transferred_to_user_id: next, transferred_from_user_id: last } = event;
    return {
      eventId: event.event_id || idOfBody(rawBody),
      type: event.event_name,
      uids: texts(user_id || event.anonymous_user_id),
      confirmation: purchaselyConfirmation({ ...event, event_name: name }),
      occurredAt: event.event_created_at_ms,
      purchaseId: event.store_original_transaction_id || null,
      links: [...linksBetween(texts(user_id), texts(next)), ...linksBetween(texts(last), texts(user_id))],
      payload,
    };
  },
  secret: {
    from: "provider",
    pattern: /^[\x21-\x7e]{6,500}$/,
    expected: "The shared secret is 6 to 500 printable characters",
  },
  sample,
};

/** `hex(HMAC-SHA256(secret, <time> + <body>))`, as in the samples of Purchasely's documentation. */
function isSigned({ headers, rawBody, secret, now }: Delivery): boolean {
  const time = headers.get("x-purchasely-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time) * 1000) > TOLERANCE_MS) return false;
  const given = (headers.get("x-purchasely-request-signature") ?? "").toLowerCase();
  return sameText(given, hexHmac(secret, time, rawBody));
}

const TYPES = {
  purchase: "SUBSCRIPTION_STARTED",
  refund: "SUBSCRIPTION_REFUNDED_REVOKED",
  hello: "RENEWAL_ENABLED",
};

function sample({ kind, uid, secret, now }: Sample) {
  const body = JSON.stringify({
    ...{ api_version: 3, event_name: TYPES[kind], event_id: randomUUID(), event_created_at_ms: now },
    ...{ user_id: uid, store: "APPLE_APP_STORE", environment: "SANDBOX", offer_type: "NONE" },
    ...{ purchase_type: "RENEWING_SUBSCRIPTION", is_family_shared: false },
  });
  const rawBody = new TextEncoder().encode(body);
  const time = String(Math.floor(now / 1000));
  const signature = hexHmac(secret, time, rawBody);
  const proof = { "x-purchasely-timestamp": time, "x-purchasely-request-signature": signature };
  return { headers: new Headers(proof), rawBody };
}
