import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Confirmation, IdentityLink, Sample } from "@/lib/providers/adapter";
import { IGNORED, isCodeStore, isSandbox } from "@/lib/providers/confirmation";
import { documentedName, idOfBody, idText, isoTime, list, readFields, text } from "@/lib/providers/fields";
import { linksBetween, texts } from "@/lib/providers/links";
import { jsonSample } from "@/lib/providers/sample";
import { headerSecret } from "@/lib/providers/secrets";
import { demand, isHeaderSecret } from "@/lib/providers/signature";

const PURCHASES = new Set([
  ...["subscription_started", "subscription_initial_purchase", "non_subscription_purchase"],
  ...["trial_started", "trial_converted"],
]);

/** Access that somebody gave by hand or through Adapty's server API. */
const GRANTS = new Set(["adapty_server_side_product", "adapty_dashboard_product", "adapty_promotion"]);

/** Refunds of the old plan while the person goes on with another one. */
const PLAN_CHANGES = new Set(["upgraded", "new_subscription_replace"]);

const properties = z.object({
  profile_event_id: text,
  store: text,
  environment: text,
  vendor_product_id: text,
  cancellation_reason: text,
  store_offer_category: text,
  store_offer_discount_type: text,
  original_transaction_id: idText,
});

const schema = z.object({
  event_type: z.string().trim().min(1),
  event_datetime: isoTime,
  customer_user_id: text,
  profile_id: text,
  profiles_sharing_access_level: list,
  event_properties: properties.catch(() => properties.parse({})),
});

type AdaptyEvent = z.output<typeof schema>;

/** Adapty: a fixed Authorization value. Its set-up posts `{}` and wants JSON back. */
export const adapty: Adapter = {
  authenticate({ headers, secret }) {
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Bearer"]);
    demand(known, "The Authorization header is not the value of this connection");
  },
  read({ rawBody, ownNames }) {
    const payload = parseJsonObject(rawBody);
    const verification = { event_type: "verification" };
    const isEmpty = Object.keys(payload).length === 0;
    const event = readFields(schema, isEmpty ? verification : payload, "event_type");
    const { profile_event_id, original_transaction_id } = event.event_properties;
    const name = documentedName(event.event_type, ownNames);
    return {
      eventId: profile_event_id || idOfBody(rawBody),
      type: event.event_type,
      uids: uidsOf(event),
      confirmation: confirmationOf(name, event),
      occurredAt: event.event_datetime,
      purchaseId: original_transaction_id || null,
      links: linksOf(name, event),
      payload,
    };
  },
  secret: { from: "us", make: headerSecret },
  sample,
};

/** Adapty writes "null" for a person without an id; then only its own profile is known. */
function uidsOf({ customer_user_id, profile_id }: AdaptyEvent): string[] {
  const known = customer_user_id && customer_user_id !== "null";
  return texts(known ? customer_user_id : profile_id);
}

function confirmationOf(type: string, { event_properties: about }: AdaptyEvent): Confirmation {
  if (!isCodeStore(about.store) || GRANTS.has(about.vendor_product_id ?? "")) return IGNORED;
  const isFree = type === "trial_started" || about.store_offer_discount_type === "free_trial";
  return {
    kind: kindOf(type, about.cancellation_reason ?? ""),
    paid: type === "trial_converted" || !isFree,
    renewal: type === "subscription_renewed" && about.store_offer_category !== "offer_code",
    sandbox: isSandbox(about.environment),
  };
}

function kindOf(type: string, reason: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "subscription_renewed") return "confirm";
  if (type === "non_subscription_purchase_refunded") return "reverse";
  return type === "subscription_refunded" && !PLAN_CHANGES.has(reason) ? "reverse" : "ignore";
}

/** A change of access names the profiles that share it: the nearest that Adapty has to a transfer. */
function linksOf(type: string, event: AdaptyEvent): IdentityLink[] {
  if (type !== "access_level_updated") return [];
  const sharing = (event.profiles_sharing_access_level ?? []).map(
    (profile) => (profile as { customer_user_id?: unknown } | null)?.customer_user_id,
  );
  const others = texts(sharing).filter((id) => id !== "null");
  return event.customer_user_id && event.customer_user_id !== "null"
    ? linksBetween(others, [event.customer_user_id])
    : [];
}

const TYPES = {
  purchase: "subscription_started",
  refund: "subscription_refunded",
  hello: "subscription_expired",
};

function sample({ kind, uid, secret, now }: Sample) {
  const at = new Date(now).toISOString();
  const about = { store: "app_store", environment: "Sandbox", vendor_product_id: "metacode_test" };
  const body = {
    ...{ event_type: TYPES[kind], event_datetime: at, customer_user_id: uid, profile_id: randomUUID() },
    event_properties: { ...about, profile_event_id: randomUUID(), purchase_date: at },
  };
  return jsonSample(body, { authorization: secret });
}
