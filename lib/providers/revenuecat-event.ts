import { createHash } from "node:crypto";
import { z } from "zod";
import { fail } from "@/lib/errors";
import { parseJsonObject } from "@/lib/json";

/** A field of another type than documented counts as absent: RevenueCat adds and changes fields without a version. */
const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const schema = z.object({
  type: z.string().min(1),
  id: text,
  app_user_id: text,
  original_app_user_id: text,
  aliases: z.array(z.unknown()).optional().catch(undefined),
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

/**
 * Who bought: RevenueCat asks receivers to look at all three. `app_user_id` always counts, as an app without accounts
 * sends us the anonymous one; elsewhere anonymous ids are left out, since a device hands them from person to person.
 */
export function revenueCatUids(event: RevenueCatEvent): string[] {
  const others = [event.original_app_user_id, ...(event.aliases ?? [])].filter(
    (id) => typeof id !== "string" || !id.startsWith("$RCAnonymousID:"),
  );
  const ids = [event.app_user_id, ...others].filter((id) => typeof id === "string" && id !== "");
  return [...new Set(ids as string[])];
}
