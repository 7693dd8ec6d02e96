import { eq, sql } from "drizzle-orm";
import { type APIRequestContext, expect, test } from "playwright/test";
import { campaigns } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { makeSeparateApp } from "./parts/apps";
import { inDatabase } from "./parts/database";
import { startInstance } from "./parts/instances";
import { cookiesOf } from "./parts/sign-in";

const MISSING = [
  "/nothing",
  "/docs/nothing",
  "/docs/api/x",
  "/dashboard/nothing",
  "/r/zzzzzzzz",
  "/r/x/y",
  "/r/zzzzzzzz/image/x.png",
  "/icons/x/y",
  "/.well-known/x",
  "/.well-known/metacode-domain?domain=x.example",
  "/_next/static/x.js",
  "/_next/data/x.json",
  "/nothing.txt",
];

test("every 404 of a page has the security headers, from every part of the service", async ({ request }) => {
  for (const path of MISSING) {
    const response = await request.get(path, { maxRedirects: 0 });
    const headers = response.headers();
    expect.soft(response.status(), path).toBe(404);
    expect.soft(headers["x-frame-options"], path).toBe("DENY");
    expect.soft(headers["x-content-type-options"], path).toBe("nosniff");
    expect.soft(headers["content-security-policy"], path).toContain("default-src");
  }
});

test("an address may ask for so many pages a minute, and another for as many", async () => {
  const settings = { APP_URL: "http://localhost:1", PAGES_PER_MINUTE: "3", TRUSTED_PROXIES: "1" };
  const { port, ready, stop } = await startInstance(settings);
  try {
    await ready();
    const ask = (address: string) =>
      fetch(`http://127.0.0.1:${port}/nothing`, { headers: { "x-forwarded-for": address } });
    const many = await Promise.all(Array.from({ length: 12 }, () => ask("203.0.113.1")));
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(refused.map(() => "5"));
    expect((await ask("203.0.113.2")).status).toBe(404);
  } finally {
    await stop();
  }
});

/** The id of the action behind the form for signing in. */
async function actionId(request: APIRequestContext): Promise<string> {
  const html = await (await request.get("/sign-in")).text();
  return /[0-9a-f]{42}/.exec(html)?.[0] ?? "";
}

const multipart = "multipart/form-data; boundary=x";
const GARBAGE: [name: string, type: string, body: string][] = [
  ["nothing", "text/plain;charset=UTF-8", ""],
  ["no JSON", "text/plain;charset=UTF-8", "garbage"],
  ["an open list", "text/plain;charset=UTF-8", "["],
  ["a megabyte of open lists", "text/plain;charset=UTF-8", "[".repeat(1_000_000)],
  ["a reference to nothing", "text/plain;charset=UTF-8", '["$1","$F99"]'],
  ["an object for a list", "text/plain;charset=UTF-8", '{"then":"$1:then"}'],
  ["JSON of another type", "application/json", '["x"]'],
  ["a form of another type", "application/x-www-form-urlencoded", "email=x&password=y"],
  ["a form without parts", multipart, "--x--\r\n"],
  ["no form", multipart, "garbage"],
  ["half a form", multipart, '--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n["$K1"]'],
];

test("a server action that cannot be read is a 4xx", async ({ request, baseURL }) => {
  const id = await actionId(request);
  expect(id).not.toBe("");
  for (const [name, type, data] of GARBAGE)
    for (const action of [id, `${id.slice(0, -1)}x`, "x"]) {
      const headers = {
        "Next-Action": action,
        "Content-Type": type,
        Origin: baseURL ?? "",
        Accept: "text/x-component",
      };
      const response = await request.post("/sign-in", { headers, data: Buffer.from(data), maxRedirects: 0 });
      const what = `${name} for ${action}`;
      expect.soft(response.status(), what).toBeGreaterThanOrEqual(400);
      expect.soft(response.status(), what).toBeLessThan(500);
      expect.soft(response.headers()["x-content-type-options"], what).toBe("nosniff");
    }
});

test("a form without the header of an action that cannot be read is a 400", async ({ request, baseURL }) => {
  const headers = { "Content-Type": multipart, Origin: baseURL ?? "", Accept: "text/html" };
  for (const data of ["garbage", "", '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nann']) {
    const response = await request.post("/sign-in", { headers, data: Buffer.from(data), maxRedirects: 0 });
    expect.soft(response.status(), data).toBe(400);
    expect.soft(response.headers()["x-content-type-options"], data).toBe("nosniff");
  }
});

test("a form of a type that no page reads is a 415", async ({ request, baseURL }) => {
  for (const type of ["application/x-www-form-urlencoded", "application/json", "text/plain"]) {
    const headers = { "Content-Type": type, Origin: baseURL ?? "" };
    const response = await request.post("/sign-in", { headers, data: "email=x", maxRedirects: 0 });
    expect.soft(response.status(), type).toBe(415);
    expect.soft(response.headers()["x-content-type-options"], type).toBe("nosniff");
  }
});

test("a header of the router that cannot be read is a 400", async ({ request }) => {
  for (const path of ["/", "/sign-in", "/docs/self-hosting", "/dashboard", "/nothing"]) {
    const headers = { RSC: "1", "Next-Router-State-Tree": "x" };
    expect.soft((await request.get(path, { headers })).status(), path).toBe(400);
  }
});

test("a page for everyone is stored by the service and asked for again by the browser", async ({
  request,
}) => {
  for (const path of ["/", "/docs", "/docs/self-hosting", "/sign-in"]) {
    const [first, second] = [await request.get(path), await request.get(`${path}?n=1`)];
    const { etag = "" } = first.headers();
    expect(etag, path).not.toBe("");
    expect(second.headers().etag).toBe(etag);
    expect(second.headers()["content-security-policy"]).not.toBe(first.headers()["content-security-policy"]);
    const again = await request.get(path, { headers: { "if-none-match": etag } });
    expect(again.status()).toBe(304);
  }
});

test("a page that failed on the server is shown by a second try once its cause is gone", async ({
  page,
  context,
}) => {
  await context.addCookies(await cookiesOf());
  let id = "";
  const app = await makeSeparateApp("Broken", async (ctx) => {
    ({ id } = await createCampaign(ctx, {
      type: "referral",
      name: "Autumn",
      platforms: { ios: { threshold: 3 } },
    }));
  });
  // No date of the dashboard can show this time.
  const end = (endsAt: ReturnType<typeof sql> | null) =>
    inDatabase(({ orm }) => orm.update(campaigns).set({ endsAt }).where(eq(campaigns.appId, app.id)));
  await end(sql`'infinity'`);
  await page.goto(`/dashboard/apps/${app.id}/campaigns/${id}`);
  await expect(page.getByRole("heading", { name: "Something went wrong on our side" })).toBeVisible();
  await end(null);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Autumn" })).toBeVisible();
});
