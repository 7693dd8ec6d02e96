import { randomUUID } from "node:crypto";
import { fail } from "@/lib/errors";
import { parseJsonObject } from "@/lib/json";
import type { Adapter, Delivery, Sample } from "@/lib/providers/adapter";
import { appleConfirmation } from "@/lib/providers/apple-confirmation";
import { appleNotification, claimsOf, signedPayloadOf } from "@/lib/providers/apple-notification";
import { APPLE_ROOTS } from "@/lib/providers/apple-roots";
import { idOfBody } from "@/lib/providers/fields";
import { jsonSample, testPurchase } from "@/lib/providers/sample";

/** The App Store itself: a notification that Apple has signed, for the app with this bundle id and Apple app id. */
export const apple: Adapter = {
  authenticate: isFromApple,
  read({ rawBody }) {
    const { notification, transaction, payload } = appleNotification(parseJsonObject(rawBody));
    const token = transaction.appAccountToken;
    return {
      eventId: notification.notificationUUID || idOfBody(rawBody),
      type: notification.notificationType,
      // A UUID: Swift writes it in capitals, Apple in small letters, and the app may have sent us either.
      uids: token ? [...new Set([token, token.toUpperCase(), token.toLowerCase()])] : [],
      confirmation: appleConfirmation(notification, transaction),
      occurredAt: notification.signedDate,
      purchaseId: transaction.originalTransactionId || null,
      links: [],
      payload,
    };
  },
  secret: { from: "nobody" },
  sample,
};

/**
 * Apple's own library checks the chain up to a root that lies here, the two marks that only App Store certificates
 * carry, the dates, the signature and whose app it is. It asks no server whether a certificate was revoked: a
 * delivery must not depend on another machine's answer.
 */
async function isFromApple({ rawBody, app }: Delivery): Promise<void> {
  const signed = signedPayloadOf(parseJsonObject(rawBody));
  const environment = environmentOf(signed);
  if (!app.iosBundleId)
    refuse("The app has no bundle id in its settings, so nothing that Apple signs is known as its own");
  if (environment === "Production" && !app.appleAppId) {
    refuse(
      "The app has no Apple app id in its settings, so purchases in production cannot be known as its own",
    );
  }
  const library = await import("@apple/app-store-server-library");
  const roots = Object.values(APPLE_ROOTS).map((pem) => Buffer.from(pem));
  const id = environment === "Production" ? Number(app.appleAppId) : undefined;
  const names = { Production: library.Environment.PRODUCTION, Sandbox: library.Environment.SANDBOX };
  const own = [names[environment], app.iosBundleId ?? "", id] as const;
  try {
    await new library.SignedDataVerifier(roots, false, ...own).verifyAndDecodeNotification(signed);
  } catch (error) {
    if (!(error instanceof library.VerificationException)) throw error;
    const reason = library.VerificationStatus[error.status]?.toLowerCase().replaceAll("_", " ");
    refuse(`Apple's signature does not hold for this app: ${reason}`, error);
  }
}

/** Which of the two to check against, from the claim itself: the library then compares it with what is signed. */
function environmentOf(signed: string): "Production" | "Sandbox" {
  const claims = claimsOf(signed);
  const token = claims.externalPurchaseToken as { externalPurchaseId?: unknown } | undefined;
  // Of a purchase outside the App Store: only the beginning of its id says it.
  if (token) return String(token.externalPurchaseId).startsWith("SANDBOX") ? "Sandbox" : "Production";
  const about = claims.data ?? claims.summary ?? claims.appData;
  const environment = (about as { environment?: unknown } | null | undefined)?.environment;
  if (environment === "Production" || environment === "Sandbox") return environment;
  return refuse("The notification is of neither Production nor Sandbox");
}

const refuse = (words: string, cause?: unknown): never => fail("UNAUTHORIZED", words, { cause });

const TYPES = { purchase: "SUBSCRIBED", refund: "REFUND", hello: "TEST" };

/** Unsigned, since only Apple can sign: the dashboard puts it behind the check of the signature. */
function sample({ kind, uid, now }: Sample) {
  const jws = (claims: object) =>
    [{ alg: "none" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
  const transaction = { appAccountToken: uid, originalTransactionId: testPurchase(uid), purchaseDate: now };
  const signedTransactionInfo = `${jws({ ...transaction, environment: "Sandbox" })}.`;
  const data = kind === "hello" ? {} : { signedTransactionInfo };
  const notification = { notificationType: TYPES[kind], notificationUUID: randomUUID(), signedDate: now };
  const claims = { ...notification, version: "2.0", data: { ...data, environment: "Sandbox" } };
  return jsonSample({ signedPayload: `${jws(claims)}.` }, {});
}
