import { afterAll, beforeAll, expect, test } from "vitest";
import { listEvents } from "@/lib/confirmations/list";
import { database } from "@/lib/db/client";
import { type TestDatabase, testDatabase } from "@/lib/testing/database";
import { connectedApp, OK } from "@/lib/testing/deliver";
import { recorded } from "@/lib/testing/recorded";

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
    const { app, send } = await connectedApp();
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
  const { app, send } = await connectedApp({ confirmOn: "paid" });
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase_trial"))).toEqual(OK("not_paid", true));
  const converted = recorded("renewal", { id: "2", is_trial_conversion: true });
  expect(await send(converted)).toEqual(OK("confirmed", true));
});

test("a refund and its reversal, through the webhook", async () => {
  const { app, send } = await connectedApp({ threshold: 1 });
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
  const { app, send } = await connectedApp();
  await app.assign("1234567890");
  expect(await send(recorded("initial_purchase", { environment: "SANDBOX" }))).toEqual(OK("sandbox", false));
  expect(await send(recorded("initial_purchase", { id: "2", type: "NEW" }))).toEqual(OK("ignored", false));
  const stranger = recorded("initial_purchase", { id: "3", app_user_id: "x" });
  expect(await send(stranger)).toEqual(OK("unmatched", false));
  expect(await app.states()).toEqual({ 1234567890: "code_assigned" });
});

test("a payload with NUL, lone surrogates, a huge id and deep nesting is kept", async () => {
  const { app, send } = await connectedApp();
  await app.assign("1234567890");
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const body = JSON.stringify(recorded("initial_purchase", { id: "i".repeat(5_000), odd: "\0\ud800" }));
  const answer = await send(body.replace('"odd":', `"deep":${deep},"odd":`));
  expect(answer).toEqual(OK("confirmed", true));
  expect((await listEvents(app.ctx)).data).toHaveLength(1);
});

test("a person who has only an anonymous id is matched by exactly that one", async () => {
  const { app, send } = await connectedApp();
  const [own, other] = ["$RCAnonymousID:87c6", "$RCAnonymousID:99aa"];
  for (const uid of [own, other]) await app.assign(uid);
  const person = { app_user_id: own, original_app_user_id: other, aliases: [other, own] };
  expect(await send(recorded("initial_purchase", person))).toEqual(OK("confirmed", true));
  expect(await app.states()).toEqual({ [own]: "redeemed", [other]: "code_assigned" });
  const stranger = { id: "2", app_user_id: "x", original_app_user_id: other, aliases: [other] };
  expect(await send(recorded("initial_purchase", stranger))).toEqual(OK("unmatched", false));
});

test("the same person in two apps: only the connection's app changes", async () => {
  const [one, other] = [await connectedApp(), await connectedApp()];
  for (const { app } of [one, other]) await app.assign("1234567890");
  expect(await one.send(recorded("initial_purchase"))).toEqual(OK("confirmed", true));
  expect(await other.app.states()).toEqual({ 1234567890: "code_assigned" });
  const stolen = { headers: { authorization: one.connection.secret } };
  expect((await other.send(recorded("initial_purchase"), stolen)).status).toBe(401);
});
