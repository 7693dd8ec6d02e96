import { expect, test } from "vitest";
import { purchasely } from "@/lib/program/providers/purchasely/adapter";
import { superwall } from "@/lib/program/providers/superwall/adapter";

const rest = { signingSecret: null, app: { appleAppId: null, iosBundleId: null, sandbox: false } };
const refused = expect.objectContaining({ code: "UNAUTHORIZED" });

/** From Svix's documentation of manual verification, which Superwall names as its own. */
test("Svix's published example is let in, and not a second too late", async () => {
  const headers = new Headers({
    "svix-id": "msg_loFOjxBNrRLzqYUf",
    "svix-timestamp": "1731705121",
    "svix-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
  });
  const rawBody = new TextEncoder().encode('{"event_type":"ping","data":{"success":true}}');
  const secret = "whsec_plJ3nmyCDGBKInavdOK15jsl";
  const arrived = (seconds: number) => ({ headers, rawBody, secret, ...rest, now: seconds * 1000 });
  await superwall.authenticate(arrived(1731705121 + 300));
  expect(() => superwall.authenticate(arrived(1731705121 + 301))).toThrow(refused);
});

/** From the samples for the verification of signatures in Purchasely's documentation. */
test("Purchasely's published example is let in for a day", async () => {
  const headers = new Headers({
    "x-purchasely-timestamp": "1698322022",
    "x-purchasely-request-signature": "f3c2a452e9ea72f41107321aeaf7999f1054148866a710c9b23f9f501785e2a4",
  });
  const rawBody = new TextEncoder().encode('{"a_random_key":"a_random_value_ad"}');
  const arrived = (seconds: number) => ({ headers, rawBody, secret: "foobar", ...rest, now: seconds * 1000 });
  await purchasely.authenticate(arrived(1698322022 + 86_400));
  expect(() => purchasely.authenticate(arrived(1698322022 + 86_401))).toThrow(refused);
  headers.delete("x-purchasely-timestamp");
  expect(() => purchasely.authenticate(arrived(1698322022))).toThrow(refused);
});
