import type { Confirmation } from "@/lib/providers/adapter";
import type { RevenueCatEvent } from "@/lib/providers/revenuecat-event";

/** Where promo codes exist. RevenueCat's Test Store stands in for them while an app is being built. */
const CODE_STORES = new Set(["APP_STORE", "MAC_APP_STORE", "PLAY_STORE", "TEST_STORE"]);

const PURCHASES = new Set(["INITIAL_PURCHASE", "NON_RENEWING_PURCHASE"]);

/** The table of docs/providers.md. */
export function revenueCatConfirmation(event: RevenueCatEvent): Confirmation {
  const isTrial = event.period_type === "TRIAL" && event.is_trial_conversion !== true;
  return {
    kind: isFromStore(event) ? kindOf(event) : "ignore",
    paid: !isTrial,
    renewal: event.type === "RENEWAL" && !showsTheCode(event),
    sandbox: event.environment?.toUpperCase() === "SANDBOX" || event.store === "TEST_STORE",
  };
}

/** Not a grant from RevenueCat's dashboard, not somebody else's purchase shared in the family, not a web shop. */
function isFromStore(event: RevenueCatEvent): boolean {
  const known = event.store === undefined || CODE_STORES.has(event.store);
  return known && event.period_type !== "PROMOTIONAL" && event.is_family_share !== true;
}

function kindOf(event: RevenueCatEvent): Confirmation["kind"] {
  if (PURCHASES.has(event.type) || event.type === "RENEWAL") return "confirm";
  if (event.type === "CANCELLATION" && event.cancel_reason === "CUSTOMER_SUPPORT") return "reverse";
  if (event.type === "REFUND_REVERSED") return "restore";
  return "ignore";
}

/** A renewal that a code can explain: trial conversions and some returns to a subscription are sent as RENEWAL. */
function showsTheCode(event: RevenueCatEvent): boolean {
  if (event.offer_code || event.is_trial_conversion === true) return true;
  return event.period_type === "TRIAL" || event.period_type === "INTRO";
}
