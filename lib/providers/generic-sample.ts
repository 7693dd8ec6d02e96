import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Delivery, Sample } from "@/lib/providers/adapter";

const TYPES = { purchase: "referral.confirm", refund: "referral.reverse", hello: "ping" };

/** A signed sandbox event as a server of one's own would send it. */
export function genericSample({ kind, uid, secret, now }: Sample): Pick<Delivery, "headers" | "rawBody"> {
  const body = JSON.stringify({ type: TYPES[kind], app_user_id: uid, environment: "sandbox" });
  const id = `test_${randomUUID()}`;
  const headers = new Headers({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(now), body),
  });
  return { headers, rawBody: new TextEncoder().encode(body) };
}
