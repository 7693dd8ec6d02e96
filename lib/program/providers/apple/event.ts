import { z } from "zod";
import { fail } from "@/lib/platform/errors";
import { parseJsonObject } from "@/lib/platform/json";
import { amount, millis, readFields, text } from "@/lib/program/providers/common/fields";

const transaction = z.object({
  appAccountToken: text,
  originalTransactionId: text,
  offerType: z.number().optional().catch(undefined),
  offerDiscountType: text,
  inAppOwnershipType: text,
  revocationType: text,
  /** In thousandths of the currency. */
  price: amount,
});

/** The relevant claims of a transaction; names as in Apple's JWSTransactionDecodedPayload. */
export type AppleTransaction = z.output<typeof transaction>;

const data = z.object({ environment: text, signedTransactionInfo: text, signedRenewalInfo: text });

const notification = z.object({
  notificationType: z.string().min(1),
  subtype: text,
  notificationUUID: text,
  signedDate: millis,
  data: data.catch({}),
});

/** The relevant claims of a notification; names as in Apple's ResponseBodyV2DecodedPayload. */
export type AppleNotification = z.output<typeof notification>;

const refuse = (): never =>
  fail("VALIDATION_ERROR", "`signedPayload` must be a signed notification", { field: "signedPayload" });

/** The claims of a JWS, unchecked. Throws VALIDATION_ERROR if the text is not a JWS. */
export function claimsOf(jws: string): Record<string, unknown> {
  const part = jws.split(".")[1] ?? "";
  return /^[\w-]+$/.test(part) ? parseJsonObject(Buffer.from(part, "base64url")) : refuse();
}

/** The signed text of a body. Throws VALIDATION_ERROR. */
export function signedPayloadOf({ signedPayload }: Record<string, unknown>): string {
  return typeof signedPayload === "string" && signedPayload !== "" ? signedPayload : refuse();
}

/**
 * Reads a notification and the transaction in it. The payload holds the signed text, which can be read again, and
 * its decoded claims for people. The notification's signature covers the transaction's own.
 */
export function appleNotification(body: Record<string, unknown>): {
  notification: AppleNotification;
  transaction: AppleTransaction;
  payload: unknown;
} {
  const signedPayload = signedPayloadOf(body);
  const claims = claimsOf(signedPayload);
  const event = readFields(notification, claims, "notificationType");
  const { signedTransactionInfo, signedRenewalInfo } = event.data;
  const [bought, renews] = [signedTransactionInfo, signedRenewalInfo].map((jws) =>
    jws ? claimsOf(jws) : undefined,
  );
  const decoded = {
    signedTransactionInfo: undefined,
    signedRenewalInfo: undefined,
    transaction: bought,
    renewal: renews,
  };
  const says = claims.data ? { ...claims, data: { ...(claims.data as object), ...decoded } } : claims;
  return {
    notification: event,
    transaction: transaction.parse(bought ?? {}),
    payload: JSON.parse(JSON.stringify({ signedPayload, says })),
  };
}
