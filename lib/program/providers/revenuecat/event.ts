import { z } from "zod";
import { parseJsonObject } from "@/lib/platform/json";
import type { IdentityLink } from "@/lib/program/providers/common/adapter";
import {
  amount,
  flag,
  idOfBody,
  linksBetween,
  list,
  millis,
  objectField,
  readFields,
  text,
  texts,
} from "@/lib/program/providers/common/fields";

const schema = z.object({
  type: z.string().min(1),
  id: text,
  app_user_id: text,
  original_app_user_id: text,
  aliases: list,
  transferred_from: list,
  transferred_to: list,
  event_timestamp_ms: millis,
  original_transaction_id: text,
  store: text,
  environment: text,
  period_type: text,
  price: amount,
  offer_code: text,
  cancel_reason: text,
  is_trial_conversion: flag,
  is_family_share: flag,
});

/** The relevant fields of `event`; names as in RevenueCat's "Event Types and Fields". */
export type RevenueCatEvent = z.output<typeof schema> & { id: string };

/** Reads `{"api_version", "event": {...}}`. An event without an id is identified by its bytes. */
export function revenueCatEvent(rawBody: Uint8Array): { event: RevenueCatEvent; payload: unknown } {
  const payload = parseJsonObject(rawBody);
  const fields = readFields(schema, objectField(payload, "event"), "event.type");
  return { event: { ...fields, id: fields.id || idOfBody(rawBody) }, payload };
}

const isAnonymous = (id: string) => id.startsWith("$RCAnonymousID:");

/**
 * The buyer's ids: RevenueCat asks receivers to check all three fields. Anonymous ids come last: they match a
 * person who redeemed before logging in, and RevenueCat generates a new one at every log-out.
 */
export function revenueCatUids(event: RevenueCatEvent): string[] {
  const others = texts([event.original_app_user_id, ...(event.aliases ?? [])]);
  const known = others.filter((id) => !isAnonymous(id));
  return texts([event.app_user_id, ...known, ...others.filter(isAnonymous)]);
}

/** Links between the ids of one person: a transfer names the old and new ids, an alias event the merged ones. */
export function revenueCatLinks(event: RevenueCatEvent): IdentityLink[] {
  const known = (ids: unknown) => texts(ids).filter((id) => !isAnonymous(id));
  if (event.type === "TRANSFER") {
    return linksBetween(known(event.transferred_from), known(event.transferred_to));
  }
  if (event.type !== "SUBSCRIBER_ALIAS") return [];
  const merged = known([event.original_app_user_id, ...(event.aliases ?? [])]);
  return linksBetween(merged, known(event.app_user_id));
}
