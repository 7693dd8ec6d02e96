import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { createConnection } from "@/lib/program/connections/create";
import { rotateConnectionSecret } from "@/lib/program/connections/update";
import { generic } from "@/lib/program/providers/generic/adapter";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedTo, okReply, postDelivery } from "@/lib/testing/provider-events/deliver";
import {
  PROVIDER_NAMES,
  SECRET,
  signedSample,
  trustTestAuthority,
} from "@/lib/testing/provider-events/samples";
import { useService } from "@/lib/testing/service";

useService();
trustTestAuthority();

const verdictsOf = async (app: Awaited<ReturnType<typeof connectedTo>>["app"]) =>
  (await listEvents(app.ctx)).data.map(({ verdict }) => verdict);

/** Our own format has an optional event time. */
const dated = (at: number) => (text: string) => JSON.stringify({ ...JSON.parse(text), occurred_at: at });

describe.each(PROVIDER_NAMES)("a delivery of %s through HTTP", (name) => {
  test("confirms once, however often it arrives", async () => {
    const { app, send } = await connectedTo(name);
    await app.assign("a", "b");
    const sent = new TextDecoder().decode(signedSample(name).rawBody);
    const again = () => send({ id: "1", body: () => sent });
    expect(await again()).toEqual(okReply("confirmed", true));
    expect(await again()).toEqual(okReply("duplicate", true));
    const answers = await Promise.all(Array.from({ length: 5 }, again));
    expect(answers.map(({ body }) => body.status)).toEqual(Array(5).fill("duplicate"));
    expect(await app.states()).toEqual({ a: "redeemed", b: "code_assigned" });
    expect(await app.counts()).toEqual({ confirmed: 1, earned: 0, rewards: 0 });
  });

  test("refunds what it confirmed", async () => {
    const { app, send } = await connectedTo(name);
    await app.assign("a");
    const now = Date.now();
    expect(await send({ now: now - 2_000, id: "1" })).toEqual(okReply("confirmed", true));
    expect(await send({ kind: "refund", now, id: "2" })).toEqual(okReply("reversed", true));
    expect(await app.states()).toEqual({ a: "reversed" });
  });

  test("leaves the same state when its refund arrives first", async () => {
    const { app, send } = await connectedTo(name);
    await app.assign("a");
    const now = Date.now();
    const sent = (kind: "purchase" | "refund", at: number, id: string) =>
      send({ kind, now: at, id, ...(name === "generic" && { body: dated(at) }) });
    expect((await sent("refund", now, "2")).status).toBe(200);
    expect((await sent("purchase", now - 2_000, "1")).status).toBe(200);
    expect(await app.states()).toEqual({ a: "reversed" });
  });

  test("that is forged is 401 and changes nothing", async () => {
    const { app, connection, send } = await connectedTo(name);
    await app.assign("a");
    const isSecret = PROVIDERS[name].adapter.secret.from !== "none";
    const forged = isSecret
      ? await send({ secret: `${SECRET.slice(0, -4)}AAAA` })
      : await send({ body: (text) => text.replace(/.{8}"}$/, 'AAAAAAAA"}') });
    expect([forged.status, forged.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    if (isSecret) {
      const bare = await postDelivery(connection, { body: signedSample(name).rawBody });
      expect(bare.status).toBe(401);
    }
    expect(await app.counts()).toMatchObject({ confirmed: 0 });
  });

  test("of an unknown type is 200 and ignored; a truncated delivery is 4xx", async () => {
    const { app, send } = await connectedTo(name);
    expect(await send({ type: "SOMETHING_OF_NEXT_YEAR" })).toEqual(okReply("ignored", false));
    expect((await send({ id: "2", body: (text) => text.slice(0, -2) })).status).toBe(400);
    expect(await verdictsOf(app)).toContain("ignored");
  });

  test("from a sandbox changes nothing in a live app", async () => {
    const { app, send } = await connectedTo(name, { sandbox: false });
    await app.assign("a");
    expect((await send()).body.status).toBe("sandbox");
    expect(await app.states()).toEqual({ a: "code_assigned" });
  });
});

const signing = PROVIDER_NAMES.filter((name) =>
  [...signedSample(name).headers.keys()].some((key) => key.includes("signature")),
);

test("the providers that sign a timestamp are those of the documentation", () => {
  expect(signing).toEqual(["superwall", "purchasely", "stripe", "generic"]);
});

test.each(signing)(
  "a delivery of %s with a signed time in the distant past or future is 401",
  async (name) => {
    const { app, send } = await connectedTo(name);
    await app.assign("a");
    const limit = (name === "purchasely" ? 24 * 60 : 5) * 60_000;
    for (const away of [limit + 60_000, -limit - 60_000, 365 * 86_400_000]) {
      expect((await send({ now: Date.now() - away })).status).toBe(401);
    }
    expect(await verdictsOf(app)).toEqual([]);
    expect(await send({ now: Date.now() - limit + 60_000 })).toEqual(okReply("confirmed", true));
  },
);

const pasting = PROVIDER_NAMES.filter((name) => PROVIDERS[name].adapter.secret.from === "provider");

describe.each(pasting)("the secret of %s", (name) => {
  test("is the provider's: until it is entered every delivery is refused, also with an empty secret", async () => {
    const app = await confirmingApp(database(), { sandbox: true });
    const connection = await createConnection(app.ctx, { provider: name });
    expect(connection).toMatchObject({ waiting: true, secret: "" });
    const send = async (secret: string) => {
      const { headers, rawBody } = signedSample(name, { secret, now: Date.now() });
      return (await postDelivery(connection, { body: rawBody, headers: Object.fromEntries(headers) })).status;
    };
    expect(await send(SECRET)).toBe(401);
    if (name !== "superwall") expect(await send("")).toBe(401);
    const entered = await rotateConnectionSecret(app.ctx, connection.id, "24h", ` ${SECRET} `);
    expect(entered).toMatchObject({ waiting: false, secret: SECRET, formerUntil: null });
    expect(await send(SECRET)).toBe(200);
    if (name !== "superwall") expect(await send("")).toBe(401);
    for (const bad of ["", "  ", "short", "with a space in it, whsec_"]) {
      await expect(rotateConnectionSecret(app.ctx, connection.id, "now", bad)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        field: "secret",
      });
    }
  });
});

/** The effect of each recorded payload on an open referral of its user, in a live app. */
const RECORDED: [ProviderName, string, string, string][] = [
  ["adapty", "verification_request", "", "ignored"],
  ["adapty", "subscription_started", "UserIdInYourSystem", "confirmed"],
  ["superwall", "renewal", "$SuperwallAlias:7152E89E-60A6-4B2E-9C67-D7ED8F5BE372", "renewal"],
  ["qonversion", "trial_converted_legacy_docs", "3YjIDEUDaf_5g4IdWw6zcMlLgfg_YQp2", "confirmed"],
  ["apphud", "subscription_started", "9b62fe05-f2b3-4876-a30c-61a2528d3c68", "sandbox"],
  ["purchasely", "subscription_started", "<user id you provided through the sdk>", "sandbox"],
  ["iaphub", "purchase", "62785074-8f32-42a5-b86b-90dbd79ce212", "confirmed"],
  ["iaphub", "refund", "62785074-8f32-42a5-b86b-90dbd79ce212", "unmatched"],
  ["iaphub", "user_id_update", "62785074-8f32-42a5-b86b-90dbd79ce212", "ignored"],
];

const fixture = (name: string, file: string) =>
  readFileSync(new URL(`../../program/providers/fixtures/${name}/${file}.json`, import.meta.url), "utf8");

/** RevenueCat's and Apple's payloads have their own tests: provider-verdicts and provider-apple. */
test("every recorded payload is sent", () => {
  const folders = ["adapty", "superwall", "qonversion", "apphud", "purchasely", "iaphub"];
  const files = folders.flatMap((name) =>
    readdirSync(new URL(`../../program/providers/fixtures/${name}`, import.meta.url)).map(
      (file) => `${name}/${file}`,
    ),
  );
  expect(RECORDED.map(([name, file]) => `${name}/${file}.json`).sort()).toEqual(files.sort());
});

test.each(RECORDED)("the recorded %s %s about %s: %s", async (name, file, uid, expected) => {
  const { app, send } = await connectedTo(name, { sandbox: false });
  if (uid) await app.assign(uid);
  const answer = await send({ body: () => fixture(name, file) });
  expect([answer.status, answer.body.status]).toEqual([200, expected]);
  expect((await send({ body: () => fixture(name, file) })).body.status).toBe("duplicate");
});

test("IAPHUB's recorded refund takes its recorded purchase back, though they share an id", async () => {
  const { app, send } = await connectedTo("iaphub", { sandbox: false });
  const uid = "62785074-8f32-42a5-b86b-90dbd79ce212";
  await app.assign(uid);
  expect((await send({ body: () => fixture("iaphub", "purchase") })).body.status).toBe("confirmed");
  expect((await send({ body: () => fixture("iaphub", "refund") })).body.status).toBe("reversed");
  const restored = fixture("iaphub", "refund").replace('"refund"', '"subscription_restore"');
  expect((await send({ body: () => restored })).body.status).toBe("restored");
});

test("a purchase at Purchasely before the login confirms once its transfer to the user arrives", async () => {
  const { app, send } = await connectedTo("purchasely");
  await app.assign("a");
  const about = (about: object) =>
    send({ body: (text) => JSON.stringify({ ...JSON.parse(text), ...about }) });
  const anonymous = { user_id: undefined, anonymous_user_id: "6837C35A-949B-4489-B212-62F66ACA6CC2" };
  expect(await about({ ...anonymous, event_id: "1" })).toEqual(okReply("unmatched", false));
  const transfer = { event_name: "SUBSCRIPTION_TRANSFERRED", transferred_to_user_id: "a" };
  expect((await about({ ...anonymous, ...transfer, event_id: "2" })).body.status).toBe("ignored");
  expect(await app.states()).toEqual({ a: "redeemed" });
});

test("a lost dispute of Stripe names only its payment: it reverses a one-time payment's referral, and waits to be linked for a subscription's", async () => {
  const { app, send } = await connectedTo("stripe");
  await app.assign("a", "b");
  const about = (type: string, object: object) => {
    const event = { id: `evt_${type}_${JSON.stringify(object)}`, object: "event", livemode: false };
    return send({ body: () => JSON.stringify({ ...event, type, data: { object } }) });
  };
  const paid = { object: "checkout.session", payment_status: "paid", amount_total: 1_000, customer: null };
  const bought = (metadata: object, by: object) =>
    about("checkout.session.completed", { ...paid, ...by, metadata });
  const disputed = (payment_intent: string, status: string) =>
    about("charge.dispute.closed", { id: "du_1", object: "dispute", payment_intent, status, metadata: {} });
  await bought({ app_user_id: "a" }, { id: "cs_1", mode: "payment", payment_intent: "pi_1" });
  await bought({ app_user_id: "b" }, { id: "cs_2", mode: "subscription", subscription: "sub_2" });
  expect(await disputed("pi_1", "won")).toEqual(okReply("ignored", false));
  expect(await disputed("pi_1", "lost")).toEqual(okReply("reversed", true));
  expect(await disputed("pi_2", "lost")).toEqual(okReply("unmatched", false));
  const [event] = (await listUnmatched(app.ctx, { lost: true })).data;
  await linkConfirmation(app.ctx, { eventId: event?.id ?? "", uid: "b", reason: "The dispute's receipt" });
  expect(await app.states()).toEqual({ a: "reversed", b: "reversed" });
});

test("a server of the owner's may send a purchase and its refund under the purchase's id, each once, and a second refund under its own", async () => {
  const { app, connection, send } = await connectedTo("generic");
  await app.assign("a");
  const id = "order_1";
  // Stored as by an earlier version.
  const { payload, ...purchase } = generic.read(signedSample("generic", { id }));
  await receiveConfirmation(app.ctx, connection.id, { ...purchase, eventId: id, payload });
  expect(await send({ id })).toEqual(okReply("duplicate", true));
  expect(await send({ kind: "refund", id })).toEqual(okReply("reversed", true));
  expect(await send({ kind: "refund", id })).toEqual(okReply("duplicate", true));
  expect(await send({ type: "referral.restore", id })).toEqual(okReply("restored", true));
  expect(await send({ kind: "refund", id })).toEqual(okReply("duplicate", true));
  expect(await app.states()).toEqual({ a: "redeemed" });
  expect(await send({ kind: "refund", id: "refund_2" })).toEqual(okReply("reversed", true));
  expect(await send({ type: "referral.restore", id: "restore_2" })).toEqual(okReply("restored", true));
});

test.each(["apphud", "purchasely"] as const)(
  "the recorded purchase of %s confirms in a sandbox",
  async (name) => {
    const { app, send } = await connectedTo(name);
    await app.assign("9b62fe05-f2b3-4876-a30c-61a2528d3c68", "<user id you provided through the sdk>");
    expect(await send({ body: () => fixture(name, "subscription_started") })).toEqual(
      okReply("confirmed", true),
    );
  },
);
