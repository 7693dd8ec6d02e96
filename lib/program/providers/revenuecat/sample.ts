import { randomUUID } from "node:crypto";
import type { Readable, SampleRequest } from "@/lib/program/providers/common/adapter";
import { hexHmac } from "@/lib/program/providers/common/signature";

const DAY_MS = 86_400_000;

/** A refund is a cancellation with this reason: RevenueCat has no event of that name. */
const TYPES = {
  purchase: { type: "INITIAL_PURCHASE" },
  refund: { type: "CANCELLATION", cancel_reason: "CUSTOMER_SUPPORT" },
  hello: { type: "TEST" },
};

/** A sandbox event as RevenueCat would send it, signed if the connection has a signing secret. */
export function revenueCatSample(request: SampleRequest): Readable {
  const body = { api_version: "1.0", event: eventOf(request) };
  const rawBody = new TextEncoder().encode(JSON.stringify(body));
  const headers = new Headers({ authorization: request.secret });
  if (request.signingSecret) {
    const seconds = Math.floor(request.now / 1000);
    const signature = hexHmac(request.signingSecret, `${seconds}.`, rawBody);
    headers.set("x-revenuecat-webhook-signature", `t=${seconds},v1=${signature}`);
  }
  return { headers, rawBody };
}

function eventOf({ kind, uid, now }: SampleRequest): Record<string, unknown> {
  return {
    ...TYPES[kind],
    id: randomUUID().toUpperCase(),
    app_user_id: uid,
    original_app_user_id: uid,
    aliases: [uid],
    event_timestamp_ms: now,
    purchased_at_ms: now,
    expiration_at_ms: now + 30 * DAY_MS,
    product_id: "metacode_test",
    period_type: "NORMAL",
    store: "APP_STORE",
    environment: "SANDBOX",
  };
}
