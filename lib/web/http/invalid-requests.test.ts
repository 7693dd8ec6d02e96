import { expect, test } from "vitest";
import { limits } from "@/lib/platform/limits/limits";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { type ApiReply, clientOf, postToApi } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { usedBy } from "@/lib/testing/quota";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";

const LIMIT = 5;
useService({ KEY_INVALID_REQUESTS_PER_MINUTE: String(LIMIT) });

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: `${addressToken()}${address}` });

test("a flood of invalid bodies uses up the limit of its address, and not the month", async () => {
  const tenant = await makeTenant({ plan: "free" });
  await clientOf(tenant.key).referrer("ann");
  const before = await usedBy(tenant);
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => postToApi("referrer", "{}", tenant.key, from("192.0.2.1"))),
  );
  const invalid = replies.filter(({ status }) => status === 400);
  // The requests may span two minutes.
  expect(invalid.length).toBeGreaterThanOrEqual(LIMIT);
  expect(invalid.length).toBeLessThanOrEqual(2 * LIMIT);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.body.error.message).toMatch(/^Too many invalid requests .* uid is required/);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused?.headers.get("x-ratelimit-limit")).toBe(String(LIMIT));
  expect(await usedBy(tenant)).toBe(before + invalid.length);
  // Valid requests of the same key and address go on, and so do other addresses.
  expect((await postToApi("referrer", { uid: "ann" }, tenant.key, from("192.0.2.1"))).status).toBe(200);
  expect((await postToApi("referrer", "{}", tenant.key, from("192.0.2.2"))).status).toBe(400);
});

test("requests without the scope they need count to the same limit", async () => {
  const tenant = await makeTenant({ plan: "free" });
  const { key } = await insertKey(tenant.ctx, "Phone", ["referrer:read"]);
  const statuses: number[] = [];
  for (let n = 0; n < 3 * LIMIT; n++) {
    statuses.push((await postToApi("referrer-claim", { uid: "ann" }, key, from("192.0.2.1"))).status);
  }
  expect(statuses.slice(0, LIMIT)).toEqual(Array(LIMIT).fill(403));
  expect(statuses).toContain(429);
  expect(await usedBy(tenant)).toBe(statuses.filter((status) => status === 403).length);
});

test("requests that would create a referrer with a key that only reads count to the same limit", async () => {
  const tenant = await makeTenant({ plan: "free" });
  await clientOf(tenant.key).referrer("ann");
  const before = await usedBy(tenant);
  const { key } = await insertKey(tenant.ctx, "Reader", ["referrer:read"]);
  const ask = (uid: string) => postToApi("referrer", { uid }, key, from("192.0.2.1"));
  const replies: ApiReply[] = [];
  for (let n = 0; n < 3 * LIMIT; n++) replies.push(await ask(`new${n}`));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.slice(0, LIMIT)).toEqual(Array(LIMIT).fill(403));
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.body.error.message).toMatch(/^Too many invalid requests .* the scope referrer:write/);
  expect(refused?.headers.get("x-ratelimit-limit")).toBe(String(LIMIT));
  // Reads still work, with the unit that the last refused request returned.
  expect((await ask("ann")).status).toBe(200);
  expect(await usedBy(tenant)).toBe(before + statuses.filter((status) => status === 403).length + 1);
});

test("a request without the scope it needs is a 403, though burst, budget and month are used up", async () => {
  // A stopped clock refills no burst.
  stopClock();
  const tenant = await makeTenant({ plan: "free", quota: 1 });
  expect((await clientOf(tenant.key).referrer("ann")).status).toBe(200);
  const limit = { dailyBudget: 1, addressCap: null };
  const { id, key } = await insertKey(tenant.ctx, "Reader", ["referrer:read"], limit);
  const ask = async (path: string) => {
    const { status, body } = await postToApi(path, { uid: "ann" }, key, from("192.0.2.3"));
    return [status, body.error.message.split(";")[0]];
  };
  const refused = [403, "This API key does not have the scope reward:claim"];
  expect(await ask("referrer-claim")).toEqual(refused);
  expect(await ask("referrer-claim")).toEqual(refused);
  expect(await ask("referrer")).toEqual([429, "The daily budget of this API key is used up"]);
  while ((await limits().key(`${id}.0`)).allowed);
  expect(await ask("referrer-claim")).toEqual(refused);
  expect(await ask("referrer")).toEqual([429, "Too many requests in a short time with this API key"]);
  expect(await usedBy(tenant)).toBe(1);
});
