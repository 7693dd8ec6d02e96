import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postToApi } from "@/lib/testing/client";
import { expectFrame } from "@/lib/testing/http/frame";
import { MOUNTS, type Mount, type MountRequest } from "@/lib/testing/http/mounts";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService({
  IP_REQUESTS_PER_MINUTE: "1000000",
  KEY_INVALID_REQUESTS_PER_MINUTE: "1000000",
  KEY_UNKNOWN_METACODES_PER_HOUR: "1000000",
  USER_UNKNOWN_METACODES_PER_HOUR: "1000000",
});

let mount: Mount;
let server: Mount;
let key: string;
let metacode: string;

beforeAll(async () => {
  mount = await MOUNTS.handlers();
  server = await MOUNTS.server();
  key = (await makeTenant({ codes: 500 })).key;
  metacode = (await postToApi("referrer", { uid: "ann" }, key)).body.metacode;
});

afterAll(() => server.close());

/** Text of arbitrary code units, including lone surrogates and NUL. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
const anyText = units.map((list) => String.fromCharCode(...list));
const odd = fc.constantFrom(
  "ann",
  "ios",
  "test123",
  "\0",
  "a\0b",
  "\ud800",
  "__proto__",
  "",
  " ",
  1e308,
  -0,
  null,
);
const value = fc.oneof(
  { weight: 3, arbitrary: odd },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 7 }) },
);
const FIELDS = ["uid", "metadata", "referee_uid", "metacode", "platform", "click_id", "__proto__", "x"];
/** Mostly valid requests, with some fields replaced. */
const record = fc
  .dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 2 })
  .map((wrong) => JSON.stringify({ uid: "ann", referee_uid: "bob", metacode, platform: "ios", ...wrong }));
const body = fc.oneof(
  { weight: 6, arbitrary: record },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);
const idempotency = fc.option(fc.string({ unit: "binary-ascii", maxLength: 20 }), {
  freq: 4,
  nil: undefined,
});
const path = fc.constantFrom("referrer", "referrer-claim", "referee-redeem");

/** A header's value if HTTP allows it. */
function headers(idempotencyKey: string | undefined): Record<string, string> {
  const sendable = idempotencyKey !== undefined && /^[\t\x20-\x7e]*$/.test(idempotencyKey);
  return { "x-api-key": key, ...(sendable && { "idempotency-key": idempotencyKey }) };
}

test("any body gets a response of the contract, and never a 500", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(path, body, idempotency, async (endpoint, sent, idempotencyKey) => {
      const options: MountRequest = { body: sent, headers: headers(idempotencyKey) };
      const reply = await mount.ask(`/api/${endpoint}`, options);
      seen.add(reply.status);
      const { body: answer } = reply;
      if (answer.redemption) delete answer.redemption;
      expectFrame(reply);
      expect([200, 400, 404, 409, 413]).toContain(reply.status);
    }),
    { seed: 20_260_101, numRuns: 800 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 404, 409]));
});

test("any path and query does, too", async () => {
  const piece = fc.oneof(
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string({ maxLength: 20 }),
  );
  const target = fc.tuple(
    fc.constantFrom("/api/webhooks/", "/api/providers/revenuecat/", "/api/providers/", "/api/"),
    piece,
    fc.constantFrom("", "/deliveries", "/deliveries?limit=", "/deliveries?cursor=", "?x=%00&"),
    piece,
  );
  await fc.assert(
    fc.asyncProperty(target, fc.constantFrom("GET", "POST"), async (pieces, method) => {
      const reply = await server.ask(pieces.join(""), { method, headers: { "x-api-key": key }, body: "{}" });
      expectFrame(reply);
      expect([200, 400, 401, 404, 405]).toContain(reply.status);
    }),
    { seed: 20_260_102, numRuns: 300 },
  );
});
