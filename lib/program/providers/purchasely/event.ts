import { z } from "zod";
import { offerShowsTheCode } from "@/lib/program/providers/common/confirmation";
import { amount, flag, idText, millis, text } from "@/lib/program/providers/common/fields";

export const purchaselyEvent = z.object({
  event_name: z.string().trim().min(1),
  event_id: text,
  event_created_at_ms: millis,
  purchased_at_ms: millis,
  user_id: text,
  anonymous_user_id: text,
  transferred_to_user_id: text,
  transferred_from_user_id: text,
  transferred_from_anonymous_user_id: text,
  store: text,
  environment: text,
  offer_type: text,
  purchase_type: text,
  is_family_shared: flag,
  store_original_transaction_id: idText,
  /** The price of the current period. */
  plan_price_in_customer_currency: amount,
});

/** The relevant fields of an event; names as in Purchasely's "Server Events Attributes". */
export type PurchaselyEvent = z.output<typeof purchaselyEvent>;

/** On Google Play only a renewal repeats an earlier purchase's code: a returning subscriber may have used a new one. */
export function showsTheCode({ event_name, offer_type, store }: PurchaselyEvent): boolean {
  if (offer_type !== "PROMO_CODE") return false;
  return event_name !== "SUBSCRIPTION_RENEWED" || offerShowsTheCode(offer_type, store);
}

/** ACTIVATE a day or more after the purchase: a restore, perhaps by another user, or a refund that was declined. */
export function isRestored({ event_name, event_created_at_ms, purchased_at_ms }: PurchaselyEvent): boolean {
  if (event_name !== "ACTIVATE" || event_created_at_ms === null || purchased_at_ms === null) return false;
  return event_created_at_ms - purchased_at_ms > 86_400_000;
}
