import { afterEach, beforeEach, expect, test } from "vitest";
import { listEvents } from "@/lib/program/confirmations/list";
import { apple } from "@/lib/program/providers/apple/adapter";
import { APPLE_ROOTS } from "@/lib/program/providers/apple/roots";
import { appleAuthority } from "@/lib/testing/apple/certificate-authority";
import { type AppleChanges, appleClaims, appleRecorded } from "@/lib/testing/apple/recorded";
import { connectedTo, okReply, postDelivery } from "@/lib/testing/provider-events/deliver";
import { useService } from "@/lib/testing/service";

useService({ TRUSTED_PROXIES: "1", IP_REQUESTS_PER_MINUTE: "1000000" });

/** The appAccountToken of the recorded transaction. */
const TOKEN = "7e3fb20b-4cdb-47cc-936d-99d65f608138";
const AUTHORITY = appleAuthority();
const SANDBOX = { environment: "Sandbox" };

const trust = (pem: string) => Object.assign(APPLE_ROOTS, { TEST: pem });
beforeEach(() => trust(AUTHORITY.rootPem));
afterEach(() => Reflect.deleteProperty(APPLE_ROOTS, "TEST"));

/** An app with the recorded bundle id and Apple app id, in which the recorded user has a code. */
async function appleApp({ sandbox = false, confirmOn = "start" as "start" | "paid" } = {}) {
  const { app, connection } = await connectedTo("apple", { sandbox, confirmOn });
  await app.assign(TOKEN);
  const send = (signedPayload: string) => postDelivery(connection, { body: { signedPayload } });
  const sign = (changes: AppleChanges = {}, authority = AUTHORITY) =>
    authority.jws(appleClaims(authority, changes));
  return { app, send, sign };
}

test.each<[string, AppleChanges, string, boolean]>([
  ["of production in a live app", {}, "confirmed", false],
  ["of the sandbox in a live app", { data: SANDBOX, transaction: SANDBOX }, "sandbox", false],
  ["of the sandbox in a sandbox app", { data: SANDBOX, transaction: SANDBOX }, "confirmed", true],
])("the recorded purchase %s, signed: %j is %s", async (_, changes, expected, sandbox) => {
  const { app, send, sign } = await appleApp({ sandbox });
  const signed = sign(changes);
  const answer = await send(signed);
  expect([answer.status, answer.body.status]).toEqual([200, expected]);
  expect((await send(signed)).body.status).toBe("duplicate");
  expect(await app.states()).toEqual({ [TOKEN]: expected === "confirmed" ? "redeemed" : "code_assigned" });
});

test("the recorded purchase is refunded, and the refund reversed", async () => {
  const { app, send, sign } = await appleApp();
  const later = (notificationType: string, seconds: number) => {
    const { signedDate } = appleClaims(AUTHORITY);
    const id = { notificationUUID: notificationType, signedDate: signedDate + seconds * 1_000 };
    return sign({ claims: { notificationType, ...id } });
  };
  expect(await send(sign())).toEqual(okReply("confirmed", true));
  expect(await send(later("REFUND", 1))).toEqual(okReply("reversed", true));
  expect(await send(later("REFUND_REVERSED", 2))).toEqual(okReply("restored", true));
  expect(await app.states()).toEqual({ [TOKEN]: "redeemed" });
});

test("a free trial waits for the first payment where the campaign requires it", async () => {
  const { send, sign } = await appleApp({ confirmOn: "paid" });
  const trial = sign({ transaction: { offerType: 3, offerDiscountType: "FREE_TRIAL" } });
  expect(await send(trial)).toEqual(okReply("not_paid", true));
  const claims = { notificationType: "DID_RENEW", notificationUUID: "renewal" };
  const renewal = sign({ claims, transaction: { offerType: undefined, offerDiscountType: undefined } });
  expect(await send(renewal)).toEqual(okReply("confirmed", true));
});

test("a plain renewal shows no code", async () => {
  const { send, sign } = await appleApp({ confirmOn: "paid" });
  const claims = { notificationType: "DID_RENEW", notificationUUID: "renewal" };
  const renewal = sign({ claims, transaction: { offerType: undefined, offerDiscountType: undefined } });
  expect(await send(renewal)).toEqual(okReply("renewal", true));
});

test("the recorded notification of Apple's library is accepted with the library's root only", async () => {
  const { signedPayload } = appleRecorded("jws_testNotification");
  const { app, send } = await appleApp();
  expect((await send(signedPayload)).status).toBe(401);
  const { x5c } = JSON.parse(Buffer.from(signedPayload.split(".")[0], "base64url").toString());
  trust(`-----BEGIN CERTIFICATE-----\n${x5c[2]}\n-----END CERTIFICATE-----`);
  expect(await send(signedPayload)).toEqual(okReply("ignored", false));
  expect((await listEvents(app.ctx)).data.map(({ type }) => type)).toEqual(["TEST"]);
});

const expired = { until: new Date("2025-12-31") };

test.each<[string, (sign: (changes?: AppleChanges, authority?: typeof AUTHORITY) => string) => string]>([
  [
    "as recorded, of local tests without a signature",
    (sign) => sign({ data: { environment: "LocalTesting" } }),
  ],
  ["of another root", (sign) => sign({}, appleAuthority())],
  ["of a leaf without Apple's mark", (sign) => sign({}, trusted({ marked: false }))],
  ["of an intermediate without Apple's mark", (sign) => sign({}, trusted({ middleMarked: false }))],
  ["of an expired chain", (sign) => sign({}, trusted(expired))],
  ["for another bundle id", (sign) => sign({ data: { bundleId: "com.other" } })],
  ["for another Apple app id", (sign) => sign({ data: { appAppleId: 5 } })],
  ["that is unsigned", () => unsigned()],
])("a purchase %s is 401 in a live app and in a sandbox, and nothing of it is stored", async (_, make) => {
  for (const sandbox of [false, true]) {
    const { app, send, sign } = await appleApp({ sandbox });
    expect((await send(make(sign))).status).toBe(401);
    expect((await listEvents(app.ctx)).data).toEqual([]);
    expect(await app.states()).toEqual({ [TOKEN]: "code_assigned" });
  }
});

function trusted(options: Parameters<typeof appleAuthority>[0]) {
  const authority = appleAuthority(options);
  trust(authority.rootPem);
  return authority;
}

/** The dashboard's sample event, posted by an attacker. */
function unsigned(): string {
  const wanted = { kind: "purchase", uid: TOKEN, secret: "", signingSecret: null, now: Date.now() } as const;
  return JSON.parse(new TextDecoder().decode(apple.sample(wanted).rawBody)).signedPayload;
}
