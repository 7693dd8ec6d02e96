import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Confirmation, Sample } from "@/lib/providers/adapter";
import { IGNORED, isCodeStore, isSandbox } from "@/lib/providers/confirmation";
import {
  amount,
  flag,
  idOfBody,
  idText,
  isoTime,
  list,
  objectField,
  plainName,
  readFields,
  text,
} from "@/lib/providers/fields";
import { texts } from "@/lib/providers/links";
import { jsonSample, testPurchase } from "@/lib/providers/sample";
import { headerSecret } from "@/lib/providers/secrets";
import { demand, isHeaderSecret } from "@/lib/providers/signature";

const STARTS = new Set(["trial_started", "intro_started", "promo_started"]);
const PAID = new Set(["subscription_started", "non_renewing_purchase"]);
const CONVERSIONS = new Set(["trial_converted", "intro_converted", "promo_converted"]);
/** `promo_renewed` is not here: a renewal within an offer shows the offer. */
const PLAIN_RENEWALS = new Set(["subscription_renewed", "intro_renewed"]);

const about = z.object({ family_shared: flag, usd_price: amount });
const receipt = z.object({ original_transaction_id: idText });

const schema = z.object({
  name: z.string().trim().min(1),
  id: text,
  created_at: isoTime,
  store: text,
  properties: about.catch({}),
  receipt: receipt.catch({}),
});

const person = z.object({ user_id: text, uid: text, subscriptions: list });

const subscription = z.object({ environment: text, original_transaction_id: idText }).catch({});

type ApphudEvent = z.output<typeof schema>;
type Person = z.output<typeof person>;

/** Apphud: a fixed X-Apphud-Token. It sends every event once only, so nothing here may be lost. */
export const apphud: Adapter = {
  authenticate({ headers, secret }) {
    demand(isHeaderSecret(headers.get("x-apphud-token"), secret), "X-Apphud-Token is not this connection's");
  },
  read({ rawBody }) {
    const payload = parseJsonObject(rawBody);
    const event = readFields(schema, objectField(payload, "event"), "event.name");
    const user = person.catch({}).parse(payload.user);
    return {
      eventId: event.id || idOfBody(rawBody),
      type: event.name,
      uids: texts(user.user_id || user.uid),
      confirmation: confirmationOf(event, user),
      occurredAt: event.created_at,
      purchaseId: event.receipt.original_transaction_id || null,
      links: [],
      payload,
    };
  },
  secret: { from: "us", make: headerSecret },
  sample,
};

function confirmationOf(event: ApphudEvent, user: Person): Confirmation {
  const type = plainName(event.name);
  if (!isCodeStore(event.store) || event.properties.family_shared === true) return IGNORED;
  const isMoney = (event.properties.usd_price ?? 0) > 0 && type !== "trial_started";
  return {
    kind: kindOf(type),
    paid: !STARTS.has(type) || isMoney,
    renewal: PLAIN_RENEWALS.has(type),
    sandbox: isSandboxPurchase(event, user),
  };
}

function kindOf(type: string): Confirmation["kind"] {
  if (type.endsWith("_refunded")) return "reverse";
  const isPurchase = STARTS.has(type) || PAID.has(type) || CONVERSIONS.has(type);
  return isPurchase || PLAIN_RENEWALS.has(type) || type === "promo_renewed" ? "confirm" : "ignore";
}

/** Only a person's subscriptions say their environment: that of the receipt, else any of them. */
function isSandboxPurchase({ receipt: { original_transaction_id } }: ApphudEvent, user: Person): boolean {
  const all = (user.subscriptions ?? []).map((one) => subscription.parse(one));
  const own = all.filter((one) => one.original_transaction_id === original_transaction_id);
  return (own.length > 0 ? own : all).some(({ environment }) => isSandbox(environment));
}

const TYPES = {
  purchase: "subscription_started",
  refund: "subscription_refunded",
  hello: "autorenew_enabled",
};

function sample({ kind, uid, secret, now }: Sample) {
  const at = new Date(now).toISOString();
  const original_transaction_id = testPurchase(uid);
  const bought = { product_id: "metacode_test", usd_price: 9.99, family_shared: false };
  const body = {
    event: {
      ...{ id: randomUUID(), name: TYPES[kind], created_at: at, store: "app_store", properties: bought },
      receipt: { original_transaction_id, purchased_at: at },
    },
    user: { user_id: uid, subscriptions: [{ original_transaction_id, environment: "sandbox" }] },
  };
  return jsonSample(body, { "x-apphud-token": secret });
}
