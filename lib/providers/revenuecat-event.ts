import { createHash } from "node:crypto";
import { z } from "zod";
import { fail } from "@/lib/errors";
import { parseJsonObject } from "@/lib/json";
import type { IdentityLink } from "@/lib/providers/adapter";
import { linksBetween, texts } from "@/lib/providers/links";

/** A field of another type than documented counts as absent: RevenueCat adds and changes fields without a version. */
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const millis = z.number().int().positive().max(8.64e15).nullable().catch(null);
const list = z.array(z.unknown()).optional().catch(undefined);

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
  const { event } = payload;
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    return fail("VALIDATION_ERROR", "`event` must be an object", { field: "event" });
  }
  const parsed = schema.safeParse(event);
  if (!parsed.success) {
    return fail("VALIDATION_ERROR", "`event.type` must be a text that is not empty", { field: "event.type" });
  }
  const id = parsed.data.id || `body:${createHash("sha256").update(rawBody).digest("hex")}`;
  return { event: { ...parsed.data, id }, payload };
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
