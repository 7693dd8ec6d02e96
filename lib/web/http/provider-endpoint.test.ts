import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUT } from "@/app/api/providers/[provider]/[connectionId]/route";
import { database } from "@/lib/platform/db/client";
import { providerEvents } from "@/lib/platform/db/schema";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { createConnection } from "@/lib/program/connections/create";
import { disableConnection, updateSigningSecret } from "@/lib/program/connections/update";
import { stopClock } from "@/lib/testing/clock";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedApp, okReply, postDelivery } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { MAX_DELIVERY_BYTES } from "@/lib/web/http/provider-endpoint";

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

test("an API key, a wrong value and no value are 401, and nothing is stored", async () => {
  const { app, connection } = await connectedApp();
  const tries: Record<string, string>[] = [
    {},
    { authorization: "wrong" },
    { authorization: `Bearer mc_live_${"a".repeat(38)}`, "x-api-key": `mc_live_${"a".repeat(38)}` },
    { "x-api-key": connection.secret },
  ];
  for (const headers of tries) {
    const { status, body } = await postDelivery(connection, { headers, body: recorded("initial_purchase") });
    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  }
  expect((await listEvents(app.ctx)).data).toEqual([]);
});

test("unknown, another provider's and disabled connections get the same 404", async () => {
  const { app, connection, send } = await connectedApp();
  const body = recorded("initial_purchase");
  const answers = [
    await send(body, { provider: "generic" }),
    await send(body, { provider: "stripe" }),
    await send(body, { provider: "__proto__" }),
    await send(body, { id: app.ctx.app.id }),
    await send(body, { id: "\0" }),
  ];
  await disableConnection(app.ctx, connection.id);
  answers.push(await send(body));
  for (const { status, body: refusal } of answers) {
    expect([status, refusal.error.code, refusal.error.message]).toEqual([
      404,
      "NOT_FOUND",
      "There is no such provider connection",
    ]);
  }
});

test("failed proofs are counted by address; a valid proof from the same address still passes", async () => {
  stopClock();
  const { connection, send } = await connectedApp();
  const from = "192.0.2.99";
  const wrong = () => postDelivery(connection, { headers: { authorization: "wrong" }, body: {}, from });
  for (let index = 0; index < ADDRESS_LIMIT; index += 1) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  for (let index = 0; index < 3; index += 1) {
    expect((await send(recorded("initial_purchase", { id: String(index) }), { from })).status).toBe(200);
  }
});

test("a body without an event is a 4xx with the reason", async () => {
  const { app, connection, send } = await connectedApp();
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
  // A delivery with a valid proof is stored unchanged, whatever its content; a delivery without one is not.
  const stored = (await listEvents(app.ctx)).data;
  expect(stored.map(({ verdict, payload }) => [verdict, payload])).toEqual([
    ["unreadable", "\u{FFFD}"],
    ["unreadable", {}],
    ["unreadable", "{"],
  ]);
  expect(stored[1]?.failure).toContain("`event`");
});

test("a repeated unreadable body is one row, and becomes an event once it can be read", async () => {
  const { app, connection, send } = await connectedApp();
  await app.assign("1234567890");
  for (let copy = 0; copy < 2; copy += 1) expect((await send({ event: {} })).status).toBe(400);
  const [row, ...others] = (await listEvents(app.ctx)).data;
  expect(others).toEqual([]);
  expect(await replayConfirmation(app.ctx, row?.id ?? "")).toMatchObject({ status: "unreadable" });
  // Simulates an upgrade that can read this format.
  const payload = recorded("initial_purchase");
  await database()
    .orm.update(providerEvents)
    .set({ payload })
    .where(eq(providerEvents.connectionId, connection.id));
  expect(await replayConfirmation(app.ctx, row?.id ?? "")).toMatchObject({ status: "confirmed" });
  expect((await listEvents(app.ctx)).data).toMatchObject([{ type: "INITIAL_PURCHASE", failure: null }]);
});

test("headers are stored without proofs, cookies and addresses", async () => {
  const { app, connection, send } = await connectedApp();
  const headers = {
    authorization: connection.secret,
    cookie: "a=b",
    "user-agent": "RevenueCat",
    "x-api-key": "k",
    "x-forwarded-for": "192.0.2.7",
    "webhook-signature": "v1,x",
    "x-apphud-token": "t",
    "webhook-id": "7",
  };
  await send(recorded("initial_purchase"), { headers });
  const [event] = (await listEvents(app.ctx)).data;
  expect(event?.headers).toEqual({
    "content-type": "application/json",
    "user-agent": "RevenueCat",
    "webhook-id": "7",
  });
});

test("a body of exactly the limit is read", async () => {
  const { send } = await connectedApp();
  const frame = '{"event":{"type":"TEST","pad":""}}';
  const body = frame.replace('""', `"${"x".repeat(MAX_DELIVERY_BYTES - frame.length)}"`);
  expect(await send(body)).toEqual(okReply("ignored", false));
});

test("with a signing secret, RevenueCat's signature is required, too", async () => {
  const { app, connection, send } = await connectedApp();
  await updateSigningSecret(app.ctx, connection.id, "key");
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
  expect(await send(body, { headers: headers(sign(time)) })).toEqual(okReply("unmatched", false));
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
  expect(await postDelivery(connection, { body, headers: headers("1") })).toEqual(okReply("confirmed", true));
  expect(await postDelivery(connection, { body, headers: headers("1") })).toEqual(okReply("duplicate", true));
  const old = headers("2", new Date(Date.now() - 600_000));
  expect((await postDelivery(connection, { body, headers: old })).status).toBe(401);
});

test("another method is 405 with the allowed ones", async () => {
  const { connection } = await connectedApp();
  const { provider, id: connectionId } = connection;
  const request = new Request(connection.url, { method: "PUT" });
  const response = await PUT(request, { params: Promise.resolve({ provider, connectionId }) });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
});
