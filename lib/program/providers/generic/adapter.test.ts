import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { generateWebhookSecret } from "@/lib/platform/secrets/random-token";
import type { Delivery } from "@/lib/program/providers/common/adapter";
import { generic } from "@/lib/program/providers/generic/adapter";

const NOW = Date.UTC(2026, 0, 15);
const SECRET = generateWebhookSecret();
const APP = { appleAppId: null, iosBundleId: null, sandbox: false };
const BODY = JSON.stringify({ type: "referral.confirm", app_user_id: "zoë" });

interface Signed {
  body?: string;
  id?: string;
  at?: number;
  secret?: string;
}

function delivery(
  { body = BODY, id = "msg_1", at = NOW, secret = SECRET }: Signed = {},
  changes = {},
): Delivery {
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(at), body),
    ...changes,
  };
  const rawBody = new TextEncoder().encode(body);
  return { headers: new Headers(headers), rawBody, secret: SECRET, signingSecret: null, app: APP, now: NOW };
}

const read = (body: object) => generic.read(delivery({ body: JSON.stringify(body) }));
const authenticate = (sent: Delivery) => () => generic.authenticate(sent);

test.each([
  ["of now", delivery()],
  ["of almost five minutes ago", delivery({ at: NOW - 299_000 })],
  ["of a clock that is ahead", delivery({ at: NOW + 299_000 })],
])("a signature %s is let in", (_, sent) => {
  expect(authenticate(sent)).not.toThrow();
});

test("one of several signatures is enough, as while a secret rotates", () => {
  const own = delivery().headers.get("webhook-signature");
  expect(authenticate(delivery({}, { "webhook-signature": `v1,AAAA v1a,xyz ${own}` }))).not.toThrow();
});

test.each([
  ["old", delivery({ at: NOW - 301_000 })],
  ["of the future", delivery({ at: NOW + 301_000 })],
  ["by another secret", delivery({ secret: generateWebhookSecret() })],
  ["over another id", delivery({}, { "webhook-id": "msg_2" })],
  ["over another time", delivery({}, { "webhook-timestamp": String(NOW / 1000 - 1) })],
  ["over another body", { ...delivery(), rawBody: new TextEncoder().encode(`${BODY} `) }],
  ["missing", delivery({}, { "webhook-signature": "" })],
  ["without its version", delivery({}, { "webhook-signature": "v1" })],
  ["without an id", delivery({ id: "" })],
  ["without a time", delivery({}, { "webhook-timestamp": "" })],
  ["with a time that is no number", delivery({}, { "webhook-timestamp": "soon" })],
])("a signature %s is refused", (_, sent) => {
  expect(authenticate(sent)).toThrow(expect.objectContaining({ code: "UNAUTHORIZED" }));
});

test("a confirmation is production, paid and no renewal unless it says otherwise", () => {
  expect(generic.read(delivery({ id: "purchase-7" }))).toMatchObject({
    eventId: "purchase-7",
    type: "referral.confirm",
    uids: ["zoë"],
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false, conversion: true },
  });
});

test("everything it says is read", () => {
  const body = { type: "referral.confirm", app_user_id: "a", aliases: ["b", "a"], environment: "sandbox" };
  expect(read({ ...body, paid: false, renewal: true })).toMatchObject({
    uids: ["a", "b"],
    confirmation: { kind: "confirm", paid: false, renewal: true, sandbox: true, conversion: undefined },
  });
});

test.each([
  ["referral.reverse", "reverse"],
  ["referral.restore", "restore"],
])("%s, which may have the id of its purchase", (type, kind) => {
  expect(read({ type, app_user_id: "a" })).toMatchObject({
    eventId: `${type}:msg_1`,
    confirmation: { kind },
  });
});

test.each(["ping", "referral.unknown", "toString"])("the type %s is ignored", (type) => {
  expect(read({ type })).toMatchObject({ type, uids: [], confirmation: { kind: "ignore" } });
});

test.each([
  [{}, "type"],
  [{ type: "" }, "type"],
  [{ type: "referral.confirm" }, "app_user_id"],
  [{ type: "referral.confirm", app_user_id: "" }, "app_user_id"],
  [{ type: "referral.confirm", app_user_id: 5 }, "app_user_id"],
  [{ type: "referral.confirm", app_user_id: "a", aliases: "b" }, "aliases"],
  [{ type: "referral.confirm", app_user_id: "a", environment: "test" }, "environment"],
  [{ type: "referral.confirm", app_user_id: "a", paid: "yes" }, "paid"],
])("%j is refused", (body, field) => {
  expect(() => read(body)).toThrow(
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      field,
      message: expect.stringContaining(`\`${field}`),
    }),
  );
});

test("time, purchase and links are read", () => {
  const body = { type: "referral.confirm", app_user_id: "a", purchase_id: "order-7" };
  const at = Date.UTC(2026, 0, 2, 3);
  for (const occurred_at of [at, "2026-01-02T03:00:00Z", "2026-01-02T04:00:00+01:00"]) {
    expect(read({ ...body, occurred_at })).toMatchObject({
      occurredAt: at,
      purchaseId: "order-7",
      links: [],
    });
  }
  expect(read({ type: "identity.linked", from: "a", to: "b" })).toMatchObject({
    uids: [],
    confirmation: { kind: "ignore" },
    links: [{ from: "a", to: "b" }],
  });
});

test.each([
  [{ type: "referral.confirm", app_user_id: "a", occurred_at: "yesterday" }, "occurred_at"],
  [{ type: "referral.confirm", app_user_id: "a", occurred_at: -1 }, "occurred_at"],
  [{ type: "referral.confirm", app_user_id: "a", purchase_id: 5 }, "purchase_id"],
  [{ type: "identity.linked", from: "a" }, "to"],
  [{ type: "identity.linked", from: "", to: "b" }, "from"],
])("%j is refused too", (body, field) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", field }));
});

test.each(["yesterday", "2026-01-02T03:00:00", 1_767_322_800, 0])(
  "%j is no time, and the answer says what is",
  (at) => {
    expect(() => read({ type: "referral.confirm", app_user_id: "a", occurred_at: at })).toThrow(
      "`occurred_at`: expected Unix milliseconds, or ISO 8601 with an offset",
    );
  },
);

test("events of another type under a purchase's id are no repetition of it, nor is its trial", () => {
  const about = { app_user_id: "a", from: "a", to: "b" };
  const types = [
    "purchase.created",
    "identity.linked",
    "referral.confirm",
    "referral.reverse",
    "referral.restore",
  ];
  const ids = types.map((type) => read({ ...about, type }).eventId);
  expect(new Set([...ids, read({ ...about, type: "referral.confirm", paid: false }).eventId]).size).toBe(6);
  expect(ids[2]).toBe("msg_1");
});
