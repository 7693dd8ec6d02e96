import type { Confirmation } from "@/lib/program/providers/common/adapter";
import {
  isFree,
  isSandbox,
  offerShowsTheCode,
  storeCounts,
} from "@/lib/program/providers/common/confirmation";
import type { RevenueCatEvent } from "@/lib/program/providers/revenuecat/event";

/** RevenueCat's own store, which replaces the real ones while an app is being built. */
const TEST_STORE = "TEST_STORE";

const PURCHASES = new Set(["INITIAL_PURCHASE", "NON_RENEWING_PURCHASE"]);

/** The table of docs/providers.md. */
export function revenueCatConfirmation(event: RevenueCatEvent, webPurchases = false): Confirmation {
  const isTrial = event.period_type === "TRIAL" && event.is_trial_conversion !== true;
  return {
    kind: isFromStore(event, webPurchases) ? kindOf(event) : "ignore",
    paid: !isTrial && !isFree(event.price),
    renewal: event.type === "RENEWAL" && !showsTheCode(event),
    sandbox: isSandbox(event.environment) || event.store === TEST_STORE,
    conversion: event.is_trial_conversion || undefined,
  };
}

/** False for a grant from RevenueCat's dashboard, a purchase shared in the family, and a shop that does not count. */
function isFromStore(event: RevenueCatEvent, webPurchases: boolean): boolean {
  const known = event.store === TEST_STORE || storeCounts(event.store, webPurchases);
  return known && event.period_type !== "PROMOTIONAL" && event.is_family_share !== true;
}

function kindOf(event: RevenueCatEvent): Confirmation["kind"] {
  if (PURCHASES.has(event.type) || event.type === "RENEWAL") return "confirm";
  if (event.type === "CANCELLATION" && event.cancel_reason === "CUSTOMER_SUPPORT") return "reverse";
  if (event.type === "REFUND_REVERSED") return "restore";
  return "ignore";
}

/** Whether a code explains the renewal: trial conversions and some returns to a subscription arrive as RENEWAL. */
function showsTheCode(event: RevenueCatEvent): boolean {
  if (offerShowsTheCode(event.offer_code, event.store) || event.is_trial_conversion === true) return true;
  return event.period_type === "TRIAL" || event.period_type === "INTRO";
}
