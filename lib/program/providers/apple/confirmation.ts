import type { AppleNotification, AppleTransaction } from "@/lib/program/providers/apple/event";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { IGNORED, isFree, isSandbox } from "@/lib/program/providers/common/confirmation";

/** Apple's number for an offer that was redeemed with an offer code. */
const OFFER_CODE = 3;

/** Apple does not document which of the first two reports a first redemption, so both count. */
const PURCHASES = new Set(["SUBSCRIBED", "OFFER_REDEEMED", "ONE_TIME_CHARGE"]);

/** Subtypes of a redeemed offer that began a subscription. */
const BEGINNINGS: (string | undefined)[] = ["INITIAL_BUY", "RESUBSCRIBE"];

/** The table of docs/providers.md. */
export function appleConfirmation(
  { notificationType, subtype, data }: AppleNotification,
  transaction: AppleTransaction,
): Confirmation {
  const { offerType, offerDiscountType, inAppOwnershipType, revocationType, price } = transaction;
  if (inAppOwnershipType === "FAMILY_SHARED" || revocationType === "REFUND_PRORATED") return IGNORED;
  return {
    kind: kindOf(notificationType),
    paid: offerDiscountType !== "FREE_TRIAL" && !isFree(price),
    renewal: continues(notificationType, subtype) && offerType !== OFFER_CODE,
    sandbox: isSandbox(data.environment),
  };
}

/** Whether the subscription may be older than the code. Subscribers also redeem promotional offers, which need no code. */
function continues(type: string, subtype: string | undefined): boolean {
  return type === "DID_RENEW" || (type === "OFFER_REDEEMED" && !BEGINNINGS.includes(subtype));
}

/** REVOKE does not reverse: it ends family sharing, and no money goes back. */
function kindOf(type: string): Confirmation["kind"] {
  if (PURCHASES.has(type) || type === "DID_RENEW") return "confirm";
  if (type === "REFUND") return "reverse";
  return type === "REFUND_REVERSED" ? "restore" : "ignore";
}
