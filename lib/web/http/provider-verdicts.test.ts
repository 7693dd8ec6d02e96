import { afterAll, beforeAll, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { listEvents } from "@/lib/program/confirmations/list";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";
import { connectedApp, okReply } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";

let base: TestDatabase;

beforeAll(async () => {
  base = await testDatabase();
  process.env.DATABASE_URL = base.url;
  process.env.LOG_LEVEL = "silent";
});

afterAll(async () => {
  await database().close();
  await base?.drop();
});

/** The purchase that the recorded refund is for, at the time that the refund names. */
const REFUNDED = { original_transaction_id: "100000000000000", event_timestamp_ms: 1_601_258_901_000 };

/** The effect of each recorded payload on an open referral, then on a redeemed one. */
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
    const { app, send } = await connectedApp();
    // The samples name their user as app_user_id or only as an alias.
    await app.assign("1234567890", "user_1234");
    if (state === "redeemed") {
      for (const app_user_id of ["1234567890", "user_1234"]) {
        await send(recorded("initial_purchase", { ...REFUNDED, app_user_id, aliases: [], id: app_user_id }));
      }
    }
    const answer = await send(recorded(name));
    expect(answer).toEqual(okReply(expected, !["unmatched", "ignored"].includes(expected)));
    expect((await send(recorded(name))).body.status).toBe("duplicate");
  }
});

test("the webhook of a trial waits for the first payment where the campaign requires it", async () => {
  const { app, send } = await connectedApp({ confirmOn: "paid" });
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase_trial"))).toEqual(okReply("not_paid", true));
  const converted = recorded("renewal", { id: "2", is_trial_conversion: true });
  expect(await send(converted)).toEqual(okReply("confirmed", true));
});

test("a refund and its reversal, through the webhook", async () => {
  const { app, send } = await connectedApp({ threshold: 1 });
  await app.assign("user_1234");
  const person = { ...REFUNDED, app_user_id: "user_1234", aliases: [] };
  await send(recorded("initial_purchase", { ...person, id: "1" }));
  const refund = recorded("cancellation_refund_customer_support", { id: "2" });
  expect(await send(refund)).toEqual(okReply("reversed", true));
  expect(await send(refund)).toEqual(okReply("duplicate", true));
  expect(await app.counts()).toEqual({ confirmed: 0, earned: 1, rewards: 1 });
  const later = { ...person, event_timestamp_ms: 1_601_400_000_000 };
  const back = recorded("initial_purchase", { ...later, id: "3", type: "REFUND_REVERSED" });
  expect(await send(back)).toEqual(okReply("restored", true));
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
});

test("the refund of a coin pack leaves the referral that a subscription confirmed", async () => {
  const { app, send } = await connectedApp();
  await app.assign("user_1234");
  const person = { app_user_id: "user_1234", aliases: [] };
  await send(recorded("initial_purchase", { ...person, id: "1", original_transaction_id: "t1" }));
  const coins = recorded("non_renewing_purchase", { ...person, id: "2", original_transaction_id: "t2" });
  expect(await send(coins)).toEqual(okReply("already_confirmed", true));
  const refund = { ...person, original_transaction_id: "t2", event_timestamp_ms: 1_700_000_000_000 };
  const reply = await send(recorded("cancellation_refund_customer_support", { ...refund, id: "3" }));
  expect(reply).toEqual(okReply("unmatched", false));
  expect(await app.states()).toEqual({ user_1234: "redeemed" });
});

test("sandbox purchases, unknown types and unknown users are answered with 200", async () => {
  const { app, send } = await connectedApp();
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase", { environment: "SANDBOX" }))).toEqual(
    okReply("sandbox", false),
  );
  expect(await send(recorded("initial_purchase", { id: "2", type: "NEW" }))).toEqual(
    okReply("ignored", false),
  );
  const stranger = recorded("initial_purchase", { id: "3", app_user_id: "x" });
  expect(await send(stranger)).toEqual(okReply("unmatched", false));
  expect(await app.states()).toEqual({ 1234567890: "code_assigned" });
});

test("a payload with NUL, lone surrogates, a huge id and deep nesting is stored", async () => {
  const { app, send } = await connectedApp();
  await app.assign("1234567890");
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const body = JSON.stringify(recorded("initial_purchase", { id: "i".repeat(5_000), odd: "\0\ud800" }));
  const answer = await send(body.replace('"odd":', `"deep":${deep},"odd":`));
  expect(answer).toEqual(okReply("confirmed", true));
  expect((await listEvents(app.ctx)).data).toHaveLength(1);
});

test("an anonymous id is matched by the current id first, then by the original id and the aliases", async () => {
  const { app, send } = await connectedApp();
  const [own, other] = ["$RCAnonymousID:87c6", "$RCAnonymousID:99aa"];
  for (const uid of [own, other]) await app.assign(uid);
  const person = { app_user_id: own, original_app_user_id: other, aliases: [other, own] };
  expect(await send(recorded("initial_purchase", person))).toEqual(okReply("confirmed", true));
  expect(await app.states()).toEqual({ [own]: "redeemed", [other]: "code_assigned" });
  const loggedIn = { id: "2", app_user_id: "login-1", original_app_user_id: other, aliases: [other] };
  expect(await send(recorded("initial_purchase", loggedIn))).toEqual(okReply("confirmed", true));
  const stranger = { id: "3", app_user_id: "x", original_app_user_id: "$RCAnonymousID:11", aliases: [] };
  expect(await send(recorded("initial_purchase", stranger))).toEqual(okReply("unmatched", false));
});

test("the same user in two apps: only the connection's app changes", async () => {
  const [own, other] = [await connectedApp(), await connectedApp()];
  for (const { app } of [own, other]) await app.assign("1234567890");
  expect(await own.send(recorded("initial_purchase"))).toEqual(okReply("confirmed", true));
  expect(await other.app.states()).toEqual({ 1234567890: "code_assigned" });
  const stolen = { headers: { authorization: own.connection.secret } };
  expect((await other.send(recorded("initial_purchase"), stolen)).status).toBe(401);
});
