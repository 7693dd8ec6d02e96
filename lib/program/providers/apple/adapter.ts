import { randomUUID } from "node:crypto";
import { fail } from "@/lib/platform/errors";
import { parseJsonObject } from "@/lib/platform/json";
import { appleConfirmation } from "@/lib/program/providers/apple/confirmation";
import { appleNotification, claimsOf, signedPayloadOf } from "@/lib/program/providers/apple/event";
import { APPLE_ROOTS } from "@/lib/program/providers/apple/roots";
import type { Adapter, Delivery, SampleRequest } from "@/lib/program/providers/common/adapter";
import { idOfBody, inAnyCase } from "@/lib/program/providers/common/fields";
import { jsonSample, testPurchase } from "@/lib/program/providers/common/sample";

/** The App Store itself: a notification signed by Apple for the app with this bundle id and Apple app id. */
export const apple: Adapter = {
  authenticate: isFromApple,
  read({ rawBody }) {
    const { notification, transaction, payload } = appleNotification(parseJsonObject(rawBody));
    return {
      eventId: notification.notificationUUID || idOfBody(rawBody),
      type: notification.notificationType,
      uids: inAnyCase(transaction.appAccountToken),
      confirmation: appleConfirmation(notification, transaction),
      occurredAt: notification.signedDate,
      purchaseId: transaction.originalTransactionId || null,
      links: [],
      payload,
    };
  },
  secret: { from: "none" },
  sample,
};

/**
 * Apple's own library checks the chain up to a root stored here, the two extensions that only App Store
 * certificates carry, the dates, the signature and the app. Revocation is not checked: a delivery must not wait for
 * another server.
 */
async function isFromApple({ rawBody, app }: Delivery): Promise<void> {
  const signed = signedPayloadOf(parseJsonObject(rawBody));
  const environment = environmentOf(signed);
  if (!app.iosBundleId) {
    refuse("The app has no bundle id in its settings, so Apple's notifications cannot be matched to it");
  }
  if (environment === "Production" && !app.appleAppId) {
    refuse("The app has no Apple app id in its settings, so production purchases cannot be matched to it");
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
    refuse(`Apple's signature is not valid for this app: ${reason}`, error);
  }
}

/** The environment that the claim names; the library then compares it with the signed one. */
function environmentOf(signed: string): "Production" | "Sandbox" {
  const claims = claimsOf(signed);
  const token = claims.externalPurchaseToken as { externalPurchaseId?: unknown } | undefined;
  // For a purchase in another store, only the beginning of its id names the environment.
  const id = token?.externalPurchaseId;
  if (token) return typeof id === "string" && id.startsWith("SANDBOX") ? "Sandbox" : "Production";
  const about = claims.data ?? claims.summary ?? claims.appData;
  const environment = (about as { environment?: unknown } | null | undefined)?.environment;
  if (environment === "Production" || environment === "Sandbox") return environment;
  return refuse("The notification is for neither Production nor Sandbox");
}

const refuse = (message: string, cause?: unknown): never => fail("UNAUTHORIZED", message, { cause });

const TYPES = { purchase: "SUBSCRIBED", refund: "REFUND", hello: "TEST" };

/** Unsigned, because only Apple can sign: the dashboard feeds it in after the signature check. */
function sample({ kind, uid, now }: SampleRequest) {
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
