import { randomUUID } from "node:crypto";
import type { Readable, Sample } from "@/lib/providers/adapter";
import { standardHeaders } from "@/lib/providers/signature";

const TYPES = { purchase: "referral.confirm", refund: "referral.reverse", hello: "ping" };

/** A signed sandbox event as a server of one's own would send it. */
export function genericSample({ kind, uid, secret, now }: Sample): Readable {
  const body = JSON.stringify({ type: TYPES[kind], app_user_id: uid, environment: "sandbox" });
  const id = `test_${randomUUID()}`;
  return {
    headers: standardHeaders("webhook", id, secret, now, body),
    rawBody: new TextEncoder().encode(body),
  };
}
