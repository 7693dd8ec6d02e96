import { randomUUID } from "node:crypto";
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
  flag,
  idOfBody,
  idText,
  isoTime,
  list,
  objectField,
  plainName,
  readFields,
  text,
  texts,
} from "@/lib/program/providers/common/fields";
import { jsonSample, testPurchase } from "@/lib/program/providers/common/sample";
import { demand, isHeaderSecret } from "@/lib/program/providers/common/signature";

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

const user = z.object({ user_id: text, uid: text, subscriptions: list });

const subscription = z.object({ environment: text, original_transaction_id: idText }).catch({});

type ApphudEvent = z.output<typeof schema>;
type ApphudUser = z.output<typeof user>;

/** Apphud: a fixed X-Apphud-Token. It sends every event only once, so a delivery that fails never comes again. */
export const apphud: Adapter = {
  authenticate({ headers, secret }) {
    demand(isHeaderSecret(headers.get("x-apphud-token"), secret), "X-Apphud-Token is not this connection's");
  },
  read({ rawBody, webPurchases }) {
    const payload = parseJsonObject(rawBody);
    const event = readFields(schema, objectField(payload, "event"), "event.name");
    const person = user.catch({}).parse(payload.user);
    return {
      eventId: event.id || idOfBody(rawBody),
      type: event.name,
      uids: texts(person.user_id || person.uid),
      confirmation: withoutName(confirmationOf(event, person, webPurchases), !person.user_id),
      occurredAt: event.created_at,
      purchaseId: event.receipt.original_transaction_id || null,
      links: [],
      payload,
    };
  },
  secret: { from: "us", form: "header" },
  sample,
};

function confirmationOf(
  event: ApphudEvent,
  person: ApphudUser,
  webPurchases: boolean | undefined,
): Confirmation {
  const type = plainName(event.name);
  if (!storeCounts(event.store, webPurchases) || event.properties.family_shared === true) return IGNORED;
  const { usd_price: price } = event.properties;
  const isMoney = (price ?? 0) > 0 && type !== "trial_started";
  return {
    kind: kindOf(type),
    paid: STARTS.has(type) ? isMoney : !isFree(price),
    renewal: PLAIN_RENEWALS.has(type),
    sandbox: isSandboxPurchase(event, person),
    conversion: CONVERSIONS.has(type) || undefined,
  };
}

function kindOf(type: string): Confirmation["kind"] {
  if (type.endsWith("_refunded")) return "reverse";
  const isPurchase = STARTS.has(type) || PAID.has(type) || CONVERSIONS.has(type);
  return isPurchase || PLAIN_RENEWALS.has(type) || type === "promo_renewed" ? "confirm" : "ignore";
}

/** Only subscriptions have an environment: the receipt's is used, else that of any subscription of the person. */
function isSandboxPurchase({ receipt }: ApphudEvent, person: ApphudUser): boolean {
  const all = (person.subscriptions ?? []).map((value) => subscription.parse(value));
  const own = all.filter(({ original_transaction_id: id }) => id === receipt.original_transaction_id);
  return (own.length > 0 ? own : all).some(({ environment }) => isSandbox(environment));
}

const TYPES = {
  purchase: "subscription_started",
  refund: "subscription_refunded",
  hello: "autorenew_enabled",
};

function sample({ kind, uid, secret, now }: SampleRequest) {
  const at = new Date(now).toISOString();
  const original_transaction_id = testPurchase(uid);
  const body = {
    event: {
      id: randomUUID(),
      name: TYPES[kind],
      created_at: at,
      store: "app_store",
      properties: { product_id: "metacode_test", usd_price: 9.99, family_shared: false },
      receipt: { original_transaction_id, purchased_at: at },
    },
    user: { user_id: uid, subscriptions: [{ original_transaction_id, environment: "sandbox" }] },
  };
  return jsonSample(body, { "x-apphud-token": secret });
}
