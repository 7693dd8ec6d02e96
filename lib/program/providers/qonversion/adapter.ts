import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/platform/json";
import type { Adapter, Confirmation, SampleRequest } from "@/lib/program/providers/common/adapter";
import {
  IGNORED,
  isFree,
  isSandbox,
  storeCounts,
  withoutName,
} from "@/lib/program/providers/common/confirmation";
import {
  amount,
  documentedName,
  flag,
  idOfBody,
  idText,
  readFields,
  seconds,
  text,
  texts,
} from "@/lib/program/providers/common/fields";
import { jsonSample, testPurchase } from "@/lib/program/providers/common/sample";
import { demand, isHeaderSecret } from "@/lib/program/providers/common/signature";

const PURCHASES = new Set([
  "trial_started",
  "trial_converted",
  "subscription_started",
  "in_app_purchase",
  "non_renewing_purchase",
]);

const REFUNDS = new Set(["subscription_refunded", "in_app_refunded"]);

const transaction = z.object({ transaction_id: idText, original_transaction_id: idText });
const revenue = z.object({ value: amount, value_usd: amount });

const schema = z.object({
  event_name: z.string().trim().min(1),
  time: seconds,
  created_at: seconds,
  user_id: text,
  custom_user_id: text,
  identity_id: text,
  environment: text,
  platform: text,
  store: text,
  is_family_shared: flag,
  revenue: revenue.catch({}),
  transaction: transaction.catch({}),
  /** Some integrations send the ids of the transaction beside it. */
  transaction_id: idText,
  original_transaction_id: idText,
});

type QonversionEvent = z.output<typeof schema>;

/** Qonversion: `Authorization: Basic <token>`, where the token is not encoded. */
export const qonversion: Adapter = {
  authenticate({ headers, secret }) {
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Basic"]);
    demand(known, "The Authorization header is not the token of this connection");
  },
  read({ rawBody, ownNames, webPurchases }) {
    const payload = parseJsonObject(rawBody);
    const isEvent = "event_name" in payload;
    const event = readFields(schema, isEvent ? payload : { event_name: "verification" }, "event_name");
    const name = documentedName(event.event_name, ownNames);
    const own = texts([event.identity_id, event.custom_user_id]);
    return {
      eventId: idOf(event) ?? idOfBody(rawBody),
      type: event.event_name,
      // Qonversion's own id counts only if the app has set none.
      uids: own.length > 0 ? own : texts(event.user_id),
      confirmation: withoutName(confirmationOf(name, event, webPurchases), own.length === 0),
      occurredAt: event.time ?? event.created_at,
      purchaseId: event.transaction.original_transaction_id || event.original_transaction_id || null,
      links: [],
      payload,
    };
  },
  secret: { from: "us", form: "header" },
  sample,
};

/** Events carry no id; these four fields together identify one, however often it is delivered. */
function idOf({ event_name, time, user_id, transaction, ...event }: QonversionEvent) {
  if (time === null || !user_id) return undefined;
  const purchase = transaction.transaction_id ?? event.transaction_id ?? null;
  const parts = JSON.stringify([event_name, purchase, time, user_id]);
  return `event:${createHash("sha256").update(parts).digest("hex")}`;
}

function confirmationOf(type: string, event: QonversionEvent, webPurchases?: boolean): Confirmation {
  const { environment, platform, store, is_family_shared } = event;
  if (!storeCounts(store || platform, webPurchases) || is_family_shared === true) return IGNORED;
  const { value, value_usd } = event.revenue;
  return {
    kind: kindOf(type),
    paid: type !== "trial_started" && !isFree(value ?? value_usd),
    renewal: type === "subscription_renewed",
    sandbox: isSandbox(environment),
    conversion: type === "trial_converted" || undefined,
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

function sample({ kind, uid, secret, now }: SampleRequest) {
  const body = {
    event_name: TYPES[kind],
    user_id: `QON_${now}`,
    identity_id: uid,
    time: Math.floor(now / 1000),
    environment: "sandbox",
    product_id: "metacode_test",
    transaction: { transaction_id: now, original_transaction_id: testPurchase(uid) },
  };
  return jsonSample(body, { authorization: `Basic ${secret}` });
}
