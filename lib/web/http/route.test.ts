import { expect, test, vi } from "vitest";
import { requestLogger } from "@/lib/platform/log";
import { useService } from "@/lib/testing/service";
import { route } from "@/lib/web/http/route";

useService();

const handlers = route({
  GET: async () => ({ status: 200, body: { a: 1 } }),
  HEAD: async () => ({ status: 200, body: { a: 1 } }),
  DELETE: async () => ({ status: 204 }),
});

test.each([
  ["GET", 200, "application/json; charset=utf-8"],
  ["HEAD", 200, null],
  ["DELETE", 204, null],
  ["OPTIONS", 204, null],
] as const)("%s answers %i with the Content-Type %s", async (method, status, type) => {
  const request = new Request("http://localhost/api/x", { method });
  const response = await handlers[method](request, { params: Promise.resolve({}) });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  expect(await response.text()).toBe(type ? '{"a":1}' : "");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("HEAD of a route without it is 405, without a content type", async () => {
  const response = await route({}).HEAD(new Request("http://localhost/api/x", { method: "HEAD" }), {
    params: Promise.resolve({}),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([405, null]);
});

test("a key in a path never reaches the log", async () => {
  const info = vi.spyOn(requestLogger(), "info");
  const key = "mc_test_nhpXk29fJq0aLw8sVt3";
  await handlers.GET(new Request(`http://localhost/api/${key}?a=${key}`), { params: Promise.resolve({}) });
  expect(info.mock.calls.at(-1)?.[0]).toMatchObject({ path: "/api/…" });
  expect(JSON.stringify(info.mock.calls)).not.toContain(key);
});
