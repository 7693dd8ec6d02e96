import { expect, test } from "playwright/test";
import { sample } from "./sample";

test("the service is ready", async ({ request }) => {
  const response = await request.get("/api/health");
  expect(response.status()).toBe(200);
});

test("an unknown path below /api is answered in the envelope, with numbers in the rate headers", async ({
  request,
}) => {
  const response = await request.get("/api/nothing");
  expect(response.status()).toBe(404);
  expect((await response.json()).error.code).toBe("NOT_FOUND");
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers()[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
});

test("a referrer of the sample workspace is created over HTTP", async ({ request }) => {
  const headers = { "x-api-key": sample().api_key };
  const response = await request.post("/api/referrer", { headers, data: { uid: "smoke" } });
  expect(response.status()).toBe(200);
});

test("the front page opens in the browser", async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
});
