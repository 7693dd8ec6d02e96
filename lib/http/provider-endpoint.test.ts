import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST, PUT } from "@/app/api/providers/[provider]/[connectionId]/route";
import { listEvents } from "@/lib/confirmations/list";
import { setConnectionEnabled, setSigningSecret } from "@/lib/connections/change";
import type { Connection } from "@/lib/connections/connection";
import { createConnection } from "@/lib/connections/create";
import { database } from "@/lib/db/client";
import { MAX_DELIVERY_BYTES } from "@/lib/http/provider-endpoint";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/confirming-app";
import { type TestDatabase, testDatabase } from "@/lib/testing/database";
import { recorded } from "@/lib/testing/recorded";

const ADDRESS_LIMIT = 40;

let base: TestDatabase;

beforeAll(async () => {
  base = await testDatabase();
  process.env.DATABASE_URL = base.url;
  process.env.LOG_LEVEL = "silent";
  process.env.TRUSTED_PROXIES = "1";
  process.env.IP_REQUESTS_PER_MINUTE = String(ADDRESS_LIMIT);
});

afterAll(async () => {
  await database().close();
  await base?.drop();
});

interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
  from?: string;
  provider?: string;
  id?: string;
}

/** Posts to a connection's address as the router does; bytes and texts go as they are. */
async function post(connection: Connection, { headers, body, from = "192.0.2.1", ...target }: Sent) {
  const { provider = connection.provider, id: connectionId = connection.id } = target;
  const asIs = typeof body === "string" || body instanceof Uint8Array;
  const init = { "content-type": "application/json", "x-forwarded-for": from, ...headers };
  const text = asIs ? (body as string) : JSON.stringify(body);
  const request = new Request(connection.url, { method: "POST", headers: init, body: text });
  const response = await POST(request, { params: Promise.resolve({ provider, connectionId }) });
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  expect(response.headers.get("x-request-id")).toBeTruthy();
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function setUp(options: Parameters<typeof confirmingApp>[1] = {}) {
  const app = await confirmingApp(database(), options);
  const connection = await createConnection(app.ctx, { provider: "revenuecat" });
  const send = (body: unknown, rest: Sent = {}) =>
    post(connection, { body, headers: { authorization: connection.secret }, ...rest });
  return { app, connection, send };
}

const OK = (status: string, matched: boolean) =>
  expect.objectContaining({ status: 200, body: { status, matched } });

/** What each recorded payload does to an open referral, then to a redeemed one. */
test.each([
  ["initial_purchase", "confirmed", "already_confirmed"],
  ["initial_purchase_trial", "confirmed", "already_confirmed"],
  ["non_renewing_purchase", "confirmed", "already_confirmed"],
  ["renewal", "renewal", "already_confirmed"],
  ["cancellation_refund_customer_support", "unmatched", "reversed"],
  ["cancellation_unsubscribe", "ignored", "ignored"],
  ["expiration", "ignored", "ignored"],
  ["subscription_paused", "ignored", "ignored"],
  ["temporary_entitlement_grant", "ignored", "ignored"],
  ["transfer", "ignored", "ignored"],
])("the recorded %s: %s, then %s", async (name, open, redeemed) => {
  for (const [state, expected] of [
    ["code_assigned", open],
    ["redeemed", redeemed],
  ] as const) {
    const { app, send } = await setUp();
    // The samples name their person as app_user_id or only as an alias.
    await app.assign("1234567890", "user_1234");
    if (state === "redeemed") {
      for (const app_user_id of ["1234567890", "user_1234"]) {
        await send(recorded("initial_purchase", { app_user_id, aliases: [], id: app_user_id }));
      }
    }
    const answer = await send(recorded(name));
    expect(answer).toEqual(OK(expected, !["unmatched", "ignored"].includes(expected)));
    expect((await send(recorded(name))).body.status).toBe("duplicate");
  }
});

test("the webhook of a trial waits for money where the campaign wants it", async () => {
  const { app, send } = await setUp({ confirmOn: "paid" });
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase_trial"))).toEqual(OK("not_paid", true));
  const converted = recorded("renewal", { id: "2", is_trial_conversion: true });
  expect(await send(converted)).toEqual(OK("confirmed", true));
});

test("a refund and its reversal, through the webhook", async () => {
  const { app, send } = await setUp({ threshold: 1 });
  await app.assign("user_1234");
  const person = { app_user_id: "user_1234", aliases: [] };
  await send(recorded("initial_purchase", { ...person, id: "1" }));
  const refund = recorded("cancellation_refund_customer_support", { id: "2" });
  expect(await send(refund)).toEqual(OK("reversed", true));
  expect(await send(refund)).toEqual(OK("duplicate", true));
  expect(await app.counts()).toEqual({ confirmed: 0, earned: 1, rewards: 1 });
  const back = recorded("initial_purchase", { ...person, id: "3", type: "REFUND_REVERSED" });
  expect(await send(back)).toEqual(OK("restored", true));
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
});

test("sandbox purchases, unknown types and unknown people are answered 200", async () => {
  const { app, send } = await setUp();
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase", { environment: "SANDBOX" }))).toEqual(OK("sandbox", false));
  expect(await send(recorded("initial_purchase", { id: "2", type: "NEW" }))).toEqual(OK("ignored", false));
  const stranger = recorded("initial_purchase", { id: "3", app_user_id: "x" });
  expect(await send(stranger)).toEqual(OK("unmatched", false));
  expect(await app.states()).toEqual({ 1234567890: "code_assigned" });
});

test("a payload with NUL, lone surrogates, a huge id and deep nesting is kept", async () => {
  const { app, send } = await setUp();
  await app.assign("1234567890");
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const body = JSON.stringify(recorded("initial_purchase", { id: "i".repeat(5_000), odd: "\0\ud800" }));
  const answer = await send(body.replace('"odd":', `"deep":${deep},"odd":`));
  expect(answer).toEqual(OK("confirmed", true));
  expect((await listEvents(app.ctx)).data).toHaveLength(1);
});

test("an API key, a wrong value and no value are 401, and nothing is stored", async () => {
  const { app, connection } = await setUp();
  const tries: Record<string, string>[] = [
    {},
    { authorization: "wrong" },
    { authorization: `Bearer mc_live_${"a".repeat(38)}`, "x-api-key": `mc_live_${"a".repeat(38)}` },
    { "x-api-key": connection.secret },
  ];
  for (const headers of tries) {
    const { status, body } = await post(connection, { headers, body: recorded("initial_purchase") });
    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  }
  expect((await listEvents(app.ctx)).data).toEqual([]);
});

test("unknown, another provider's and disabled connections are one 404", async () => {
  const { app, connection, send } = await setUp();
  const body = recorded("initial_purchase");
  const answers = [
    await send(body, { provider: "generic" }),
    await send(body, { provider: "stripe" }),
    await send(body, { provider: "__proto__" }),
    await send(body, { id: app.ctx.app.id }),
    await send(body, { id: "\0" }),
  ];
  await setConnectionEnabled(app.ctx, connection.id, false);
  answers.push(await send(body));
  for (const { status, body: told } of answers) {
    expect([status, told.error.code, told.error.message]).toEqual([
      404,
      "NOT_FOUND",
      "No provider connection at this address",
    ]);
  }
});

test("failed proofs are counted by address; a right one from the same address passes all the same", async () => {
  const { connection, send } = await setUp();
  const from = "192.0.2.99";
  const wrong = () => post(connection, { headers: { authorization: "wrong" }, body: {}, from });
  for (let index = 0; index < ADDRESS_LIMIT; index += 1) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  for (let index = 0; index < 3; index += 1) {
    expect((await send(recorded("initial_purchase", { id: String(index) }), { from })).status).toBe(200);
  }
});

test("what is no event is a 4xx that says why", async () => {
  const { app, connection, send } = await setUp();
  const authorization = connection.secret;
  const oversized = `{"event":{"type":"TEST","pad":"${"x".repeat(MAX_DELIVERY_BYTES)}"}}`;
  const compressed = { headers: { authorization, "content-encoding": "gzip" } };
  const answers = [
    await send("{"),
    await send("{}"),
    await send(Uint8Array.of(0xff)),
    await send(oversized),
    await send({}, compressed),
  ];
  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
    [400, "VALIDATION_ERROR"],
    [400, "VALIDATION_ERROR"],
    [400, "VALIDATION_ERROR"],
    [413, "PAYLOAD_TOO_LARGE"],
    [415, "UNSUPPORTED_MEDIA_TYPE"],
  ]);
  expect((await listEvents(app.ctx)).data).toEqual([]);
});

test("a body of exactly the limit is read", async () => {
  const { send } = await setUp();
  const frame = '{"event":{"type":"TEST","pad":""}}';
  const body = frame.replace('""', `"${"x".repeat(MAX_DELIVERY_BYTES - frame.length)}"`);
  expect(await send(body)).toEqual(OK("ignored", false));
});

test("where a signing secret is set, RevenueCat's signature is needed too", async () => {
  const { app, connection, send } = await setUp();
  await setSigningSecret(app.ctx, connection.id, "key");
  const body = JSON.stringify(recorded("initial_purchase"), null, 3);
  const time = Math.floor(Date.now() / 1000);
  const sign = (at: number) =>
    `t=${at},v1=${createHmac("sha256", "key").update(`${at}.${body}`).digest("hex")}`;
  const headers = (signature: string) => ({
    authorization: connection.secret,
    "x-revenuecat-webhook-signature": signature,
  });
  expect((await send(body)).status).toBe(401);
  expect((await send(body, { headers: headers(sign(time - 900)) })).status).toBe(401);
  expect(await send(body, { headers: headers(sign(time)) })).toEqual(OK("unmatched", false));
});

test("the generic provider: signed by Standard Webhooks, once by its webhook-id", async () => {
  const app: ConfirmingApp = await confirmingApp(database());
  await app.assign("a");
  const connection = await createConnection(app.ctx, { provider: "generic" });
  const body = JSON.stringify({ type: "referral.confirm", app_user_id: "a" });
  const headers = (id: string, at = new Date()) => ({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(connection.secret).sign(id, at, body),
  });
  expect(await post(connection, { body, headers: headers("1") })).toEqual(OK("confirmed", true));
  expect(await post(connection, { body, headers: headers("1") })).toEqual(OK("duplicate", true));
  const old = headers("2", new Date(Date.now() - 600_000));
  expect((await post(connection, { body, headers: old })).status).toBe(401);
});

test("the same person in two apps: only the connection's app changes", async () => {
  const [one, other] = [await setUp(), await setUp()];
  for (const { app } of [one, other]) await app.assign("1234567890");
  expect(await one.send(recorded("initial_purchase"))).toEqual(OK("confirmed", true));
  expect(await other.app.states()).toEqual({ 1234567890: "code_assigned" });
  const stolen = { headers: { authorization: one.connection.secret } };
  expect((await other.send(recorded("initial_purchase"), stolen)).status).toBe(401);
});

test("another method is 405 with what is allowed", async () => {
  const { connection } = await setUp();
  const { provider, id: connectionId } = connection;
  const request = new Request(connection.url, { method: "PUT" });
  const response = await PUT(request, { params: Promise.resolve({ provider, connectionId }) });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
});
