import type { Confirmation } from "@/lib/providers/adapter";
import type { AppleNotification, AppleTransaction } from "@/lib/providers/apple-notification";
import { IGNORED, isSandbox } from "@/lib/providers/confirmation";

/** Apple's number for an offer that was got with an offer code. */
const OFFER_CODE = 3;

/** Apple leaves open which of the first two a first redemption of a code sends, so either counts. */
const PURCHASES = new Set(["SUBSCRIBED", "OFFER_REDEEMED", "ONE_TIME_CHARGE"]);

/** The table of docs/providers.md. */
export function appleConfirmation(
  { notificationType, data }: AppleNotification,
  { offerType, offerDiscountType, inAppOwnershipType }: AppleTransaction,
): Confirmation {
  if (inAppOwnershipType === "FAMILY_SHARED") return IGNORED;
  return {
    kind: kindOf(notificationType),
    paid: offerDiscountType !== "FREE_TRIAL",
    renewal: notificationType === "DID_RENEW" && offerType !== OFFER_CODE,
    sandbox: isSandbox(data.environment),
  };
}

/** REVOKE is not here: it takes family sharing away, and nobody got money back. */
function kindOf(type: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "DID_RENEW") return "confirm";
  if (type === "REFUND") return "reverse";
  return type === "REFUND_REVERSED" ? "restore" : "ignore";
}
