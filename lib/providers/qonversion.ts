import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Confirmation, Sample } from "@/lib/providers/adapter";
import { isSandbox } from "@/lib/providers/confirmation";
import { documentedName, idOfBody, idText, readFields, seconds, text } from "@/lib/providers/fields";
import { texts } from "@/lib/providers/links";
import { jsonSample, testPurchase } from "@/lib/providers/sample";
import { headerSecret } from "@/lib/providers/secrets";
import { demand, isHeaderSecret } from "@/lib/providers/signature";

const PURCHASES = new Set([
  ...["trial_started", "trial_converted", "subscription_started"],
  ...["in_app_purchase", "non_renewing_purchase"],
]);

const REFUNDS = new Set(["subscription_refunded", "in_app_refunded"]);

const transaction = z.object({ transaction_id: idText, original_transaction_id: idText });

const schema = z.object({
  event_name: z.string().trim().min(1),
  time: seconds,
  created_at: seconds,
  user_id: text,
  custom_user_id: text,
  identity_id: text,
  environment: text,
  transaction: transaction.catch(() => ({ transaction_id: undefined, original_transaction_id: undefined })),
});

type QonversionEvent = z.output<typeof schema>;

/** Qonversion: `Authorization: Basic <token>`, where the token is not encoded. */
export const qonversion: Adapter = {
  authenticate({ headers, secret }) {
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Basic"]);
    demand(known, "The Authorization header is not the token of this connection");
  },
  read({ rawBody, ownNames }) {
    const payload = parseJsonObject(rawBody);
    const isEvent = "event_name" in payload;
    const event = readFields(schema, isEvent ? payload : { event_name: "verification" }, "event_name");
    return {
      eventId: idOf(event) ?? idOfBody(rawBody),
      type: event.event_name,
      uids: uidsOf(event),
      confirmation: confirmationOf(documentedName(event.event_name, ownNames), event),
      occurredAt: event.time ?? event.created_at,
      purchaseId: event.transaction.original_transaction_id || null,
      links: [],
      payload,
    };
  },
  secret: { from: "us", make: headerSecret },
  sample,
};

/** Events have no id; these four together are one event however often it is delivered. */
function idOf({ event_name, time, user_id, transaction: { transaction_id } }: QonversionEvent) {
  if (time === null || !user_id) return undefined;
  const parts = JSON.stringify([event_name, transaction_id ?? null, time, user_id]);
  return `event:${createHash("sha256").update(parts).digest("hex")}`;
}

/** Qonversion's own id counts only where the app has set no other. */
function uidsOf({ identity_id, custom_user_id, user_id }: QonversionEvent): string[] {
  const own = texts([identity_id, custom_user_id]);
  return own.length > 0 ? own : texts(user_id);
}

function confirmationOf(type: string, { environment }: QonversionEvent): Confirmation {
  return {
    kind: kindOf(type),
    paid: type !== "trial_started",
    renewal: type === "subscription_renewed",
    sandbox: isSandbox(environment),
  };
}

function kindOf(type: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "subscription_renewed") return "confirm";
  return REFUNDS.has(type) ? "reverse" : "ignore";
}

const TYPES = {
  purchase: "subscription_started",
  refund: "subscription_refunded",
  hello: "subscription_expired",
};

function sample({ kind, uid, secret, now }: Sample) {
  const ids = { transaction_id: now, original_transaction_id: testPurchase(uid) };
  const body = {
    ...{ event_name: TYPES[kind], user_id: `QON_${now}`, identity_id: uid, time: Math.floor(now / 1000) },
    ...{ environment: "sandbox", product_id: "metacode_test", transaction: ids },
  };
  return jsonSample(body, { authorization: `Basic ${secret}` });
}
