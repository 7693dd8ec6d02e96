import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonObject } from "@/lib/platform/json";
import type {
  Adapter,
  Confirmation,
  IdentityLink,
  SampleRequest,
} from "@/lib/program/providers/common/adapter";
import {
  IGNORED,
  isFree,
  isSandbox,
  offerShowsTheCode,
  storeCounts,
  withoutName,
} from "@/lib/program/providers/common/confirmation";
import {
  amount,
  documentedName,
  idOfBody,
  idText,
  isoTime,
  linksBetween,
  list,
  readFields,
  text,
  texts,
} from "@/lib/program/providers/common/fields";
import { jsonSample } from "@/lib/program/providers/common/sample";
import { demand, isHeaderSecret } from "@/lib/program/providers/common/signature";

/** Two names of one event. */
const STARTS = new Set(["subscription_started", "subscription_initial_purchase"]);

const PURCHASES = new Set([...STARTS, "non_subscription_purchase", "trial_started", "trial_converted"]);

/** Access granted by hand or through Adapty's server API. */
const GRANTS = new Set(["adapty_server_side_product", "adapty_dashboard_product", "adapty_promotion"]);

/** Refunds of the old plan while the person continues with another. */
const PLAN_CHANGES = new Set(["upgraded", "new_subscription_replace"]);

const properties = z.object({
  profile_event_id: text,
  store: text,
  environment: text,
  vendor_product_id: text,
  cancellation_reason: text,
  store_offer_category: text,
  store_offer_discount_type: text,
  price_usd: amount,
  transaction_id: idText,
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

/** Adapty: a fixed Authorization value. Its set-up posts `{}` and expects JSON back. */
export const adapty: Adapter = {
  authenticate({ headers, secret }) {
    const known = isHeaderSecret(headers.get("authorization"), secret, ["Bearer"]);
    demand(known, "The Authorization header is not the value of this connection");
  },
  read({ rawBody, ownNames, webPurchases }) {
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
      confirmation: withoutName(confirmationOf(name, event, webPurchases), !namedBy(event)),
      occurredAt: event.event_datetime,
      purchaseId: original_transaction_id || null,
      links: linksOf(name, event),
      payload,
    };
  },
  secret: { from: "us", form: "header" },
  sample,
};

/** The app's id of the person. Adapty writes "null" where it has none; then only its own profile is known. */
const namedBy = ({ customer_user_id }: AdaptyEvent) => customer_user_id !== "null" && customer_user_id;

const uidsOf = (event: AdaptyEvent): string[] => texts(namedBy(event) || event.profile_id);

function confirmationOf(
  type: string,
  { event_properties: about }: AdaptyEvent,
  webPurchases: boolean | undefined,
): Confirmation {
  const sandbox = isSandbox(about.environment);
  if (!storeCounts(about.store, webPurchases) || GRANTS.has(about.vendor_product_id ?? ""))
    return { ...IGNORED, sandbox };
  const isTrial = type === "trial_started" || about.store_offer_discount_type === "free_trial";
  const isOld = type === "subscription_renewed" || isPlanChange(type, about);
  const isCode = about.store_offer_category === "offer_code";
  return {
    kind: kindOf(type, about.cancellation_reason ?? ""),
    paid: (type === "trial_converted" || !isTrial) && !isFree(about.price_usd),
    renewal: isOld && !(isCode && offerShowsTheCode("offer_code", about.store)),
    sandbox,
    conversion: type === "trial_converted" || undefined,
  };
}

/** The new product of an App Store subscription starts within the chain of the old one; Google begins a new chain. */
function isPlanChange(type: string, about: AdaptyEvent["event_properties"]): boolean {
  const { store, transaction_id: id, original_transaction_id: original } = about;
  if (!STARTS.has(type) || store !== "app_store") return false;
  return Boolean(id) && Boolean(original) && id !== original;
}

function kindOf(type: string, reason: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "subscription_renewed") return "confirm";
  if (type === "non_subscription_purchase_refunded") return "reverse";
  return type === "subscription_refunded" && !PLAN_CHANGES.has(reason) ? "reverse" : "ignore";
}

/** A change of access names the profiles that share it, Adapty's closest equivalent of a transfer. */
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

function sample({ kind, uid, secret, now }: SampleRequest) {
  const at = new Date(now).toISOString();
  const body = {
    event_type: TYPES[kind],
    event_datetime: at,
    customer_user_id: uid,
    profile_id: randomUUID(),
    event_properties: {
      store: "app_store",
      environment: "Sandbox",
      vendor_product_id: "metacode_test",
      profile_event_id: randomUUID(),
      purchase_date: at,
    },
  };
  return jsonSample(body, { authorization: secret });
}
