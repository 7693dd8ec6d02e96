import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { IGNORED, isFree, isSandbox, storeCounts } from "@/lib/program/providers/common/confirmation";
import { isRestored, type PurchaselyEvent, showsTheCode } from "@/lib/program/providers/purchasely/event";

const STARTS = new Set([
  "SUBSCRIPTION_STARTED",
  "TRIAL_STARTED",
  "PROMO_CODE_STARTED",
  "INTRO_OFFER_STARTED",
  "INTRO_STARTED",
]);

const CONVERSIONS = new Set([
  "TRIAL_CONVERTED",
  "PROMO_CODE_CONVERTED",
  "INTRO_OFFER_CONVERTED",
  "INTRO_CONVERTED",
]);

/** Earlier subscribers who continue or return; only they get promotional offers. */
const RETURNS = new Set([
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_REACTIVATED",
  "PROMOTIONAL_OFFER_STARTED",
  "PROMOTIONAL_OFFER_CONVERTED",
]);

/** Types of purchase that have no event but ACTIVATE, which renewals send as well. */
const ONE_TIME = new Set(["CONSUMABLE", "NON_CONSUMABLE", "NON_RENEWING_SUBSCRIPTION"]);

/** The table of docs/providers.md. */
export function purchaselyConfirmation(event: PurchaselyEvent, webPurchases = false): Confirmation {
  const sandbox = isSandbox(event.environment);
  if (!storeCounts(event.store, webPurchases) || event.is_family_shared === true)
    return { ...IGNORED, sandbox };
  return {
    kind: kindOf(event),
    paid: !isFree(event.plan_price_in_customer_currency) && !mayBeFree(event),
    renewal: (RETURNS.has(event.event_name) && !showsTheCode(event)) || isRestored(event),
    sandbox,
    conversion: CONVERSIONS.has(event.event_name) || undefined,
  };
}

function kindOf({ event_name, purchase_type }: PurchaselyEvent): Confirmation["kind"] {
  if (STARTS.has(event_name) || CONVERSIONS.has(event_name) || RETURNS.has(event_name)) return "confirm";
  if (event_name === "ACTIVATE" && ONE_TIME.has(purchase_type ?? "")) return "confirm";
  return event_name === "SUBSCRIPTION_REFUNDED_REVOKED" ? "reverse" : "ignore";
}

/** A promo code may be free, which only the price shows; its conversion is always paid. */
function mayBeFree(event: PurchaselyEvent): boolean {
  const { event_name, offer_type, plan_price_in_customer_currency: price } = event;
  if (CONVERSIONS.has(event_name)) return false;
  if (event_name === "TRIAL_STARTED" || offer_type === "FREE_TRIAL") return true;
  return price === undefined && (event_name === "PROMO_CODE_STARTED" || offer_type === "PROMO_CODE");
}
