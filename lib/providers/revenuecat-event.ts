import { z } from "zod";
import { parseJsonObject } from "@/lib/json";
import type { IdentityLink } from "@/lib/providers/adapter";
import { flag, idOfBody, list, millis, objectField, readFields, text } from "@/lib/providers/fields";
import { linksBetween, texts } from "@/lib/providers/links";

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
  offer_code: text,
  cancel_reason: text,
  is_trial_conversion: flag,
  is_family_share: flag,
});

/** The fields of `event` that decide; names as in RevenueCat's "Event Types and Fields". */
export type RevenueCatEvent = z.output<typeof schema> & { id: string };

/** Reads `{"api_version", "event": {...}}`. An event without an id is known by its bytes. */
export function revenueCatEvent(rawBody: Uint8Array): { event: RevenueCatEvent; payload: unknown } {
  const payload = parseJsonObject(rawBody);
  const fields = readFields(schema, objectField(payload, "event"), "event.type");
  return { event: { ...fields, id: fields.id || idOfBody(rawBody) }, payload };
}

const isAnonymous = (id: string) => id.startsWith("$RCAnonymousID:");

/**
 * Who bought: RevenueCat asks receivers to look at all three. `app_user_id` always counts, as an app without accounts
 * sends us the anonymous one; elsewhere anonymous ids are left out, since a device hands them from person to person.
 */
export function revenueCatUids(event: RevenueCatEvent): string[] {
  const others = texts([event.original_app_user_id, ...(event.aliases ?? [])]);
  return texts([event.app_user_id, ...others.filter((id) => !isAnonymous(id))]);
}

/** Ids of one person: a transfer names the old and the new ones, an alias event the ids that were merged. */
export function revenueCatLinks(event: RevenueCatEvent): IdentityLink[] {
  const known = (ids: unknown) => texts(ids).filter((id) => !isAnonymous(id));
  if (event.type === "TRANSFER") {
    return linksBetween(known(event.transferred_from), known(event.transferred_to));
  }
  if (event.type !== "SUBSCRIBER_ALIAS") return [];
  const merged = known([event.original_app_user_id, ...(event.aliases ?? [])]);
  return linksBetween(merged, known(event.app_user_id));
}
