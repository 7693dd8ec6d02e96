import type { AppleNotification, AppleTransaction } from "@/lib/program/providers/apple/event";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { IGNORED, isFree, isSandbox } from "@/lib/program/providers/common/confirmation";

/** Apple's number for an offer that was redeemed with an offer code. */
const OFFER_CODE = 3;

/** Apple does not document which of the first two reports a first redemption, so both count. */
const PURCHASES = new Set(["SUBSCRIBED", "OFFER_REDEEMED", "ONE_TIME_CHARGE"]);

/** The table of docs/providers.md. */
export function appleConfirmation(
  { notificationType, data }: AppleNotification,
  transaction: AppleTransaction,
): Confirmation {
  const { offerType, offerDiscountType, inAppOwnershipType, revocationType, price } = transaction;
  if (inAppOwnershipType === "FAMILY_SHARED" || revocationType === "REFUND_PRORATED") return IGNORED;
  return {
    kind: kindOf(notificationType),
    paid: offerDiscountType !== "FREE_TRIAL" && !isFree(price),
    renewal: notificationType === "DID_RENEW" && offerType !== OFFER_CODE,
    sandbox: isSandbox(data.environment),
  };
}

/** REVOKE does not reverse: it ends family sharing, and no money goes back. */
function kindOf(type: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "DID_RENEW") return "confirm";
  if (type === "REFUND") return "reverse";
  return type === "REFUND_REVERSED" ? "restore" : "ignore";
}
