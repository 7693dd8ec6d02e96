import { createHmac, randomUUID } from "node:crypto";
import type { Delivery, Sample } from "@/lib/providers/adapter";

const DAY = 86_400_000;

/** A refund is a cancellation with this reason: RevenueCat has no event of that name. */
const TYPES = {
  purchase: { type: "INITIAL_PURCHASE" },
  refund: { type: "CANCELLATION", cancel_reason: "CUSTOMER_SUPPORT" },
  hello: { type: "TEST" },
};

/** A sandbox event as RevenueCat would send it, signed where the connection asks for that. */
export function revenueCatSample(wanted: Sample): Pick<Delivery, "headers" | "rawBody"> {
  const body = JSON.stringify({ api_version: "1.0", event: eventOf(wanted) });
  const headers = new Headers({ authorization: wanted.secret });
  if (wanted.signingSecret) {
    const seconds = Math.floor(wanted.now / 1000);
    const signature = createHmac("sha256", wanted.signingSecret).update(`${seconds}.${body}`).digest("hex");
    headers.set("x-revenuecat-webhook-signature", `t=${seconds},v1=${signature}`);
  }
  return { headers, rawBody: new TextEncoder().encode(body) };
}

function eventOf({ kind, uid, now }: Sample): Record<string, unknown> {
  return {
    ...TYPES[kind],
    ...{ id: randomUUID().toUpperCase(), app_user_id: uid, original_app_user_id: uid, aliases: [uid] },
    ...{ event_timestamp_ms: now, purchased_at_ms: now, expiration_at_ms: now + 30 * DAY },
    ...{ product_id: "metacode_test", period_type: "NORMAL", store: "APP_STORE", environment: "SANDBOX" },
  };
}
