import { beforeAll, describe, expect, test } from "vitest";
import { type ApiReply, clientOf, postToApi } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService({ USER_UNKNOWN_METACODES_PER_HOUR: "5" });

let tenant: Tenant;
let metacode: string;
let redeemOnly: string;

beforeAll(async () => {
  tenant = await makeTenant({ plan: "free", codes: 0 });
  await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 2 });
  const api = clientOf(tenant.key);
  metacode = (await api.referrer("ann")).body.metacode;
  await api.redeem("bob", metacode);
  redeemOnly = await makeKey(tenant, ["referee:redeem"]);
});

/** The remaining quota, read by a request that itself costs one unit. */
async function left(): Promise<number> {
  const reply = await clientOf(tenant.key).referrer("ann");
  return Number(reply.headers.get("x-ratelimit-remaining"));
}

const api = () => clientOf(tenant.key);
const broken = (status: number, ask: () => Promise<ApiReply>): [number, () => Promise<ApiReply>] => [
  status,
  ask,
];

describe("a request with a valid key counts", () => {
  test.each([
    broken(200, () => api().referrer("ann")),
    broken(200, () => api().redeem("cid", "test123")),
    broken(400, () => api().referrer("")),
    broken(400, () => postToApi("referrer", "{", tenant.key)),
    broken(413, () => postToApi("referrer", "x".repeat(17_000), tenant.key)),
    broken(415, () => postToApi("referrer", "{}", tenant.key, { "content-type": "text/plain" })),
    broken(403, () => postToApi("referrer", { uid: "ann" }, redeemOnly)),
    broken(404, () => api().claim("unknown")),
    broken(404, () => api().redeem("cid", "zzzzzzzz")),
    broken(409, () => api().redeem("bob", metacode)),
    broken(409, () => api().redeem("ann", metacode)),
  ])("when the answer is %i", async (status, ask) => {
    const before = await left();
    expect((await ask()).status).toBe(status);
    expect(await left()).toBe(before - 2);
  });
});

describe("a request does not count", () => {
  test.each([
    broken(401, () => postToApi("referrer", { uid: "ann" }, undefined)),
    broken(401, () => postToApi("referrer", { uid: "ann" }, "mc_live_nonsense")),
    broken(503, () => api().redeem("cid", metacode, "android")),
    broken(503, () => api().redeem("cid", "test503")),
  ])("when the answer is %i", async (status, ask) => {
    const before = await left();
    const reply = await ask();
    expect(reply.status).toBe(status);
    if (status === 503) expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBe(before);
    expect(await left()).toBe(before - 1);
  });

  test("that is refused for guessing", async () => {
    stopClock();
    for (let guess = 0; guess < 5; guess++) await api().redeem("cid", "yyyyyyyy");
    const before = await left();
    const reply = await api().redeem("cid", metacode);
    expect([reply.status, Number(reply.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await left()).toBe(before - 1);
  });
});
