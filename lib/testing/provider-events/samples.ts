import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as Svix } from "svix";
import { APPLE_ROOTS } from "@/lib/program/providers/apple/roots";
import type { Delivery, Readable, SampleRequest } from "@/lib/program/providers/common/adapter";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { appleAuthority } from "@/lib/testing/apple/certificate-authority";

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** The app of the connections in tests. */
export const STORE_APP: Delivery["app"] = { appleAppId: "41234", iosBundleId: "com.example", sandbox: true };

const APPLE = appleAuthority();

/** A secret in a form that every provider accepts. */
export const SECRET = `whsec_${Buffer.from("a secret of the tests, 32 bytes!").toString("base64")}`;

/** Accepts Apple's notifications of {@link sampleOf}: their root counts as one of Apple's in this process. */
export function trustTestAuthority(): void {
  Object.assign(APPLE_ROOTS, { TEST: APPLE.rootPem });
}

type Wanted = Partial<SampleRequest> & { type?: string; id?: string; body?: (text: string) => string };

const TYPE_FIELDS: Record<ProviderName, string> = {
  revenuecat: "type",
  adapty: "event_type",
  superwall: "type",
  qonversion: "event_name",
  apphud: "name",
  purchasely: "event_name",
  iaphub: "type",
  apple: "notificationType",
  stripe: "type",
  generic: "type",
};

/**
 * A provider's delivery with its proof. The body, which can be changed before signing, starts as the provider's own
 * sample, so that each adapter reads its own format.
 */
export function signedSample(name: ProviderName, wanted: Wanted = {}): Readable {
  const { type, id, body = (text) => text, ...rest } = wanted;
  const now = Date.now();
  const sample: SampleRequest = {
    kind: "purchase",
    uid: "a",
    secret: SECRET,
    signingSecret: null,
    now,
    ...rest,
  };
  const made = PROVIDERS[name].adapter.sample(sample);
  const retyped = (text: string) =>
    type === undefined
      ? text
      : text.replace(
          new RegExp(`"${TYPE_FIELDS[name]}":"[^"]*"`),
          `"${TYPE_FIELDS[name]}":${JSON.stringify(type)}`,
        );
  const text = new TextDecoder().decode(made.rawBody);
  if (name === "apple") return { ...made, rawBody: bytes(body(signedByApple(text, retyped))) };
  const sent = body(retyped(text));
  const proof = PROOFS[name]({ ...sample, body: sent, id: id ?? made.headers.get("webhook-id") ?? "msg_1" });
  return { headers: new Headers(proof), rawBody: bytes(sent) };
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The sample, signed by the test's certificate authority for {@link STORE_APP}. */
function signedByApple(text: string, retyped: (text: string) => string): string {
  const claims = (jws: string) => Buffer.from(jws.split(".")[1] ?? "", "base64url").toString();
  const notification = JSON.parse(retyped(claims(JSON.parse(text).signedPayload)));
  const data = {
    ...notification.data,
    bundleId: STORE_APP.iosBundleId,
    appAppleId: Number(STORE_APP.appleAppId),
  };
  return JSON.stringify({ signedPayload: APPLE.jws({ ...notification, data }) });
}

interface Proof {
  secret: string;
  now: number;
  body: string;
  id: string;
}

const STRIPE = new Stripe("sk_test_key");

/** The proof of a body, made with the provider's own library where there is one. */
const PROOFS: Record<ProviderName, (proof: Proof) => Record<string, string>> = {
  revenuecat: ({ secret }) => ({ authorization: secret }),
  adapty: ({ secret }) => ({ authorization: secret }),
  qonversion: ({ secret }) => ({ authorization: `Basic ${secret}` }),
  apphud: ({ secret }) => ({ "x-apphud-token": secret }),
  iaphub: ({ secret }) => ({ "x-auth-token": secret }),
  apple: () => ({}),
  superwall: ({ secret, now, body, id }) => ({
    "svix-id": id,
    "svix-timestamp": secondsOf(now),
    "svix-signature": new Svix(secret).sign(id, new Date(now), body),
  }),
  generic: ({ secret, now, body, id }) => ({
    "webhook-id": id,
    "webhook-timestamp": secondsOf(now),
    "webhook-signature": new Webhook(secret).sign(id, new Date(now), body),
  }),
  purchasely: ({ secret, now, body }) => ({
    "x-purchasely-timestamp": secondsOf(now),
    "x-purchasely-request-signature": createHmac("sha256", secret)
      .update(secondsOf(now) + body)
      .digest("hex"),
  }),
  stripe: ({ secret, now, body }) => ({
    "stripe-signature": STRIPE.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp: Number(secondsOf(now)),
    }),
  }),
};

const secondsOf = (now: number) => String(Math.floor(now / 1000));
