import { createHmac, randomBytes } from "node:crypto";
import { fail } from "@/lib/errors";
import type { Adapter, Delivery } from "@/lib/providers/adapter";
import { revenueCatConfirmation } from "@/lib/providers/revenuecat-confirmation";
import { revenueCatEvent, revenueCatLinks, revenueCatUids } from "@/lib/providers/revenuecat-event";
import { revenueCatSample } from "@/lib/providers/revenuecat-sample";
import { asBuffer, isRecent, sameText } from "@/lib/providers/signature";

const SIGNATURE_HEADER = "x-revenuecat-webhook-signature";

/** RevenueCat: a fixed Authorization value, and an HMAC of the body where the owner has switched it on there. */
export const revenuecat: Adapter = {
  authenticate(delivery) {
    if (!hasAuthorization(delivery)) {
      fail("UNAUTHORIZED", "The Authorization header is not the value of this connection");
    }
    if (delivery.signingSecret && !isSigned(delivery, delivery.signingSecret)) {
      fail("UNAUTHORIZED", "X-RevenueCat-Webhook-Signature is missing, wrong or older than five minutes");
    }
  },
  read({ rawBody }) {
    const { event, payload } = revenueCatEvent(rawBody);
    return {
      eventId: event.id,
      type: event.type,
      uids: revenueCatUids(event),
      confirmation: revenueCatConfirmation(event),
      occurredAt: event.event_timestamp_ms,
      purchaseId: event.original_transaction_id || null,
      links: revenueCatLinks(event),
      payload,
    };
  },
  makeSecret: () => `metacode_${randomBytes(24).toString("base64url")}`,
  sample: revenueCatSample,
};

/** The value may have been typed into RevenueCat with or without "Bearer "; both comparisons always run. */
function hasAuthorization({ headers, secret }: Delivery): boolean {
  const given = headers.get("authorization") ?? "";
  const bare = sameText(given, secret);
  const bearer = sameText(given, `Bearer ${secret}`);
  return bare || bearer;
}

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; several `v1` while RevenueCat rotates its key. */
function isSigned({ headers, rawBody, now }: Delivery, key: string): boolean {
  const parts = (headers.get(SIGNATURE_HEADER) ?? "").split(",").map((part) => part.trim());
  const time = parts.find((part) => part.startsWith("t="))?.slice(2) ?? "";
  if (!isRecent(time, now)) return false;
  const expected = createHmac("sha256", key).update(`${time}.`).update(asBuffer(rawBody)).digest("hex");
  return parts
    .filter((part) => part.startsWith("v1="))
    .some((part) => sameText(part.slice(3).toLowerCase(), expected));
}
