import type { Adapter } from "@/lib/providers/adapter";
import { revenueCatConfirmation } from "@/lib/providers/revenuecat-confirmation";
import { revenueCatEvent, revenueCatLinks, revenueCatUids } from "@/lib/providers/revenuecat-event";
import { revenueCatSample } from "@/lib/providers/revenuecat-sample";
import { headerSecret } from "@/lib/providers/secrets";
import { demand, isHeaderSecret, isTimedHmac } from "@/lib/providers/signature";

const SIGNATURE_HEADER = "x-revenuecat-webhook-signature";

/** RevenueCat: a fixed Authorization value, and an HMAC of the body where the owner has switched it on there. */
export const revenuecat: Adapter = {
  authenticate(delivery) {
    const { headers, secret, signingSecret } = delivery;
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Bearer"]);
    demand(known, "The Authorization header is not the value of this connection");
    if (!signingSecret) return;
    const signed = isTimedHmac(headers.get(SIGNATURE_HEADER), delivery, signingSecret);
    demand(signed, "X-RevenueCat-Webhook-Signature is missing, wrong or older than five minutes");
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
  secret: { from: "us", make: headerSecret },
  sample: revenueCatSample,
};
