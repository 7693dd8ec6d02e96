import { expect, test } from "vitest";
import { route } from "@/lib/http/route";
import { useService } from "@/lib/testing/service";

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

test("HEAD of a route without it is 405, without a type too", async () => {
  const response = await route({}).HEAD(new Request("http://localhost/api/x", { method: "HEAD" }), {
    params: Promise.resolve({}),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([405, null]);
});
