import { z } from "zod";
import { fail } from "@/lib/errors";
import { parseJsonObject } from "@/lib/json";
import { millis, readFields, text } from "@/lib/providers/fields";

const transaction = z.object({
  appAccountToken: text,
  originalTransactionId: text,
  offerType: z.number().optional().catch(undefined),
  offerDiscountType: text,
  inAppOwnershipType: text,
});

/** The claims of a transaction that decide; names as in Apple's JWSTransactionDecodedPayload. */
export type AppleTransaction = z.output<typeof transaction>;

const data = z.object({ environment: text, signedTransactionInfo: text, signedRenewalInfo: text });

const notification = z.object({
  notificationType: z.string().min(1),
  subtype: text,
  notificationUUID: text,
  signedDate: millis,
  data: data.catch({}),
});

/** The claims of a notification that decide; names as in Apple's ResponseBodyV2DecodedPayload. */
export type AppleNotification = z.output<typeof notification>;

/** The claims of a JWS, unchecked. Throws VALIDATION_ERROR where it is none. */
export function claimsOf(jws: string): Record<string, unknown> {
  const part = jws.split(".")[1] ?? "";
  if (!/^[\w-]+$/.test(part)) {
    return fail("VALIDATION_ERROR", "`signedPayload` must be a signed notification", {
      field: "signedPayload",
    });
  }
  return parseJsonObject(Buffer.from(part, "base64url"));
}

/** The signed text of a body. Throws VALIDATION_ERROR. */
export function signedPayloadOf({ signedPayload }: Record<string, unknown>): string {
  if (typeof signedPayload === "string" && signedPayload !== "") return signedPayload;
  return fail("VALIDATION_ERROR", "`signedPayload` must be a signed notification", {
    field: "signedPayload",
  });
}

/**
 * Reads a notification and the transaction in it. What is kept has the signed text, to be read again, and beside it
 * what it says, for people. The transaction's own signature is covered by that of the notification.
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
  const parts = { transaction: bought, renewal: renews };
  const told = { signedTransactionInfo: undefined, signedRenewalInfo: undefined, ...parts };
  const says = { ...claims, ...(claims.data ? { data: { ...(claims.data as object), ...told } } : {}) };
  return {
    notification: event,
    transaction: transaction.parse(bought ?? {}),
    payload: JSON.parse(JSON.stringify({ signedPayload, says })),
  };
}
