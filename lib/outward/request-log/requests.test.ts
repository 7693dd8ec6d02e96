import { and, eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SCOPES } from "@/lib/contract/api-key";
import { isoDay } from "@/lib/contract/format";
import { flushRequests, RequestBuffer } from "@/lib/outward/request-log/buffer";
import { storablePath } from "@/lib/outward/request-log/path";
import { database } from "@/lib/platform/db/client";
import { apiKeys } from "@/lib/platform/db/schema";
import { clientOf, postToApi } from "@/lib/testing/client";
import { MOUNTS } from "@/lib/testing/http/mounts";
import { anotherProcess } from "@/lib/testing/processes/singletons";
import { answerMany, keyDays, loggedRequests } from "@/lib/testing/requests";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService({ IP_REQUESTS_PER_MINUTE: "1000000" });
afterEach(() => vi.useRealTimers());

async function keyId({ ctx }: Tenant, name = "Test"): Promise<string> {
  const [row] = await ctx.db.orm
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.name, name)));
  return row?.id ?? "";
}

describe("a request", () => {
  test("is listed with its answer, its public reason and its key, and with nothing that was in it", async () => {
    const tenant = await makeTenant();
    const api = clientOf(tenant.key);
    const { body } = await api.referrer("secret-person");
    const redeemed = await api.redeem("secret-referee", body.metacode);
    const refused = await api.redeem("secret-referee", "zzzzzzzz");
    await flushRequests();
    const [first, , last] = await loggedRequests(tenant);
    expect(first).toMatchObject({ method: "POST", path: "/api/referrer", status: 200, errorCode: null });
    expect(last).toMatchObject({
      id: refused.headers.get("x-request-id"),
      keyId: await keyId(tenant),
      path: "/api/referee-redeem",
      status: 404,
      errorCode: "METACODE_NOT_FOUND",
      message: refused.body.error.message,
    });
    expect(last?.micros).toBeGreaterThan(0);
    const everything = JSON.stringify(await loggedRequests(tenant));
    for (const secret of [tenant.key, tenant.key.slice(8), redeemed.body.code, "secret-"]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("asks the database nothing for it", async () => {
    const tenant = await makeTenant();
    await clientOf(tenant.key).referrer("ann");
    await flushRequests();
    // The buffer would store the second request within a second, which a busy machine may need for the check below.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const call = vi.spyOn(database(), "call");
    await clientOf(tenant.key).referrer("ann");
    const called = call.mock.calls.map(([statement]) => statement.name);
    call.mockRestore();
    expect(called.length).toBeGreaterThan(0);
    expect(called).not.toContain("store_requests");
    expect(await loggedRequests(tenant)).toHaveLength(1);
  });

  test("without a valid key leaves nothing", async () => {
    const tenant = await makeTenant();
    expect((await clientOf(`${tenant.key}x`).referrer("ann")).status).toBe(401);
    expect((await postToApi("referrer", { uid: "ann" }, undefined)).status).toBe(401);
    await flushRequests();
    expect([await loggedRequests(tenant), await keyDays(tenant)]).toEqual([[], []]);
  });

  test("is written without a flush within a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tenant = await makeTenant();
    const buffer = new RequestBuffer(database);
    const flush = vi.spyOn(buffer, "flush");
    answerMany(buffer, tenant, 3);
    await vi.advanceTimersByTimeAsync(999);
    expect(flush).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(flush).toHaveBeenCalledTimes(1);
    await flush.mock.results[0]?.value;
    expect(await loggedRequests(tenant)).toHaveLength(3);
  });

  test.each([
    ["/api/referrer", "/api/referrer"],
    ["/api/referee-redeem/", "/api/referee-redeem/"],
    [`/api/webhooks/${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}/deliveries`, undefined],
    ["/api/webhooks/mc_live_0123456789", "/api/webhooks/…"],
    ["/api/webhooks/ABCDEF", "/api/webhooks/…"],
    [`/api/webhooks/${"a".repeat(60)}`, "/api/webhooks/…"],
    ["/api/webhooks/%00/deliveries", "/api/webhooks/…/deliveries"],
  ])("to %s keeps of its path what is sure to be no secret", (path, stored) => {
    expect(storablePath(path)).toBe(stored ?? path);
  });
});

describe("the counts of a key", () => {
  test("are exact, whatever the response", async () => {
    const tenant = await makeTenant({ codes: 1 });
    const narrow = await makeKey(tenant, SCOPES.slice(0, 1));
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("ann")).body;
    const replies = [
      await api.redeem("bob", metacode),
      await api.redeem("eve", metacode),
      await api.redeem("bob", metacode),
      await api.redeem("bob", "zzzzzzzz"),
      await postToApi("referrer", "{", tenant.key),
      await clientOf(narrow).claim("ann"),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 503, 409, 404, 400, 403]);
    await flushRequests();
    const found = await keyDays(tenant);
    const day = isoDay(Date.now());
    expect(found.find((row) => row.day === day && row.requests === 6)).toMatchObject({
      keyId: await keyId(tenant),
      requests: 6,
      refused: 3,
      failed: 1,
      unlisted: 0,
    });
    expect(found.find((row) => row.requests === 1)).toMatchObject({
      keyId: await keyId(tenant, "Narrow"),
      refused: 1,
      failed: 0,
    });
  });

  test("count requests that a limit refused", async () => {
    const tenant = await makeTenant({ quota: 2 });
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await clientOf(tenant.key).referrer("ann")).status);
    }
    await flushRequests();
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await keyDays(tenant)).toMatchObject([{ requests: 4, refused: 2, failed: 0 }]);
  });

  test("add up over processes that write at the same time", async () => {
    const tenant = await makeTenant();
    const others = Array.from({ length: 4 }, () => anotherProcess());
    const buffers = others.map((other) => other(() => new RequestBuffer(database)));
    for (let round = 0; round < 5; round += 1) {
      for (const buffer of buffers) answerMany(buffer, tenant, 7, round % 2 ? 503 : 200);
      await Promise.all(buffers.map((buffer) => buffer.flush()));
    }
    expect(await keyDays(tenant)).toMatchObject([{ requests: 140, failed: 56, refused: 0 }]);
  });

  test("belong to the day of the answer, UTC", async () => {
    const tenant = await makeTenant();
    const buffer = new RequestBuffer(database);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 31, 23, 59, 59, 999) });
    answerMany(buffer, tenant, 2);
    vi.setSystemTime(Date.UTC(2026, 1, 1));
    answerMany(buffer, tenant, 3);
    await buffer.flush();
    const days = (await keyDays(tenant)).map(({ day, requests }) => [day, requests]);
    expect(days).toEqual([
      ["2026-01-31", 2],
      ["2026-02-01", 3],
    ]);
  });
});

test("the same holds over a socket", async () => {
  const tenant = await makeTenant();
  const mount = await MOUNTS.server();
  const headers = { "x-api-key": tenant.key };
  await mount.ask("/api/webhooks/mc_live_pasted?x=secret", { method: "GET", headers });
  await mount.close();
  await flushRequests();
  expect(await loggedRequests(tenant)).toMatchObject([
    { path: "/api/webhooks/…", method: "GET", status: 404 },
  ]);
});
