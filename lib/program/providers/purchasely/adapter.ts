import { randomUUID } from "node:crypto";
import { parseJsonObject } from "@/lib/platform/json";
import type { Adapter, Delivery, SampleRequest } from "@/lib/program/providers/common/adapter";
import { withoutName } from "@/lib/program/providers/common/confirmation";
import {
  documentedName,
  idOfBody,
  linksBetween,
  readFields,
  texts,
} from "@/lib/program/providers/common/fields";
import { demand, hexHmac, isRecent, sameText } from "@/lib/program/providers/common/signature";
import { purchaselyConfirmation } from "@/lib/program/providers/purchasely/confirmation";
import { purchaselyEvent } from "@/lib/program/providers/purchasely/event";

/**
 * Purchasely delivers up to 25 times, most of them on the first day, and does not document whether it signs each try
 * again. A recorded delivery that is replayed within that time is the same event and changes nothing.
 */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** Purchasely: HMAC-SHA256 over the time and the body, with the secret of the webhook in its console. */
export const purchasely: Adapter = {
  authenticate(delivery) {
    const signed = isSigned(delivery);
    demand(signed, "X-PURCHASELY-REQUEST-SIGNATURE is missing, wrong or older than a day");
  },
  read({ rawBody, ownNames, webPurchases }) {
    const payload = parseJsonObject(rawBody);
    const event = readFields(purchaselyEvent, payload, "event_name");
    const name = documentedName(event.event_name, ownNames).toUpperCase();
    const { user_id, anonymous_user_id, transferred_to_user_id: next } = event;
    // A login moves the purchases of an anonymous id to the user.
    const last = event.transferred_from_user_id || event.transferred_from_anonymous_user_id;
    const owner = texts(user_id || anonymous_user_id);
    return {
      eventId: event.event_id || idOfBody(rawBody),
      type: event.event_name,
      uids: owner,
      confirmation: withoutName(
        purchaselyConfirmation({ ...event, event_name: name }, webPurchases),
        !user_id,
      ),
      occurredAt: event.event_created_at_ms,
      purchaseId: event.store_original_transaction_id || null,
      links: [...linksBetween(owner, texts(next)), ...linksBetween(texts(last), texts(user_id))],
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
  if (!isRecent(time, now, TOLERANCE_MS)) return false;
  const signature = (headers.get("x-purchasely-request-signature") ?? "").toLowerCase();
  return sameText(signature, hexHmac(secret, time, rawBody));
}

const TYPES = {
  purchase: "SUBSCRIPTION_STARTED",
  refund: "SUBSCRIPTION_REFUNDED_REVOKED",
  hello: "RENEWAL_ENABLED",
};

function sample({ kind, uid, secret, now }: SampleRequest) {
  const body = JSON.stringify({
    api_version: 3,
    event_name: TYPES[kind],
    event_id: randomUUID(),
    event_created_at_ms: now,
    user_id: uid,
    store: "APPLE_APP_STORE",
    environment: "SANDBOX",
    offer_type: "NONE",
    purchase_type: "RENEWING_SUBSCRIPTION",
    is_family_shared: false,
  });
  const rawBody = new TextEncoder().encode(body);
  const time = String(Math.floor(now / 1000));
  const signature = hexHmac(secret, time, rawBody);
  const proof = { "x-purchasely-timestamp": time, "x-purchasely-request-signature": signature };
  return { headers: new Headers(proof), rawBody };
}
