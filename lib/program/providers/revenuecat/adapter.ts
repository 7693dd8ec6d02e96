import type { Adapter } from "@/lib/program/providers/common/adapter";
import { demand, isHeaderSecret, isTimedHmac } from "@/lib/program/providers/common/signature";
import { revenueCatConfirmation } from "@/lib/program/providers/revenuecat/confirmation";
import { revenueCatEvent, revenueCatLinks, revenueCatUids } from "@/lib/program/providers/revenuecat/event";
import { revenueCatSample } from "@/lib/program/providers/revenuecat/sample";

const SIGNATURE_HEADER = "x-revenuecat-webhook-signature";

/** RevenueCat: a fixed Authorization value, and an HMAC of the body if its owner has enabled signatures. */
export const revenuecat: Adapter = {
  authenticate(delivery) {
    const { headers, secret, signingSecret } = delivery;
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Bearer"]);
    demand(known, "The Authorization header is not the value of this connection");
    if (!signingSecret) return;
    const signed = isTimedHmac(headers.get(SIGNATURE_HEADER), delivery, signingSecret);
    demand(signed, "X-RevenueCat-Webhook-Signature is missing, wrong or older than five minutes");
  },
  read({ rawBody, webPurchases }) {
    const { event, payload } = revenueCatEvent(rawBody);
    return {
      eventId: event.id,
      type: event.type,
      uids: revenueCatUids(event),
      confirmation: revenueCatConfirmation(event, webPurchases),
      occurredAt: event.event_timestamp_ms,
      purchaseId: event.original_transaction_id || null,
      links: revenueCatLinks(event),
      payload,
    };
  },
  secret: { from: "us", form: "header" },
  sample: revenueCatSample,
};
