import { type APIRequestContext, expect, test } from "playwright/test";
import { flawsOf, IPHONE, overflowOf } from "./parts/sound";
import { sample } from "./sample";

const PIXEL =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";

/** A referrer of the sample workspace; returns its metacode. */
async function invite(request: APIRequestContext, uid: string, name: string): Promise<string> {
  const headers = { "x-api-key": sample().api_key };
  const response = await request.post("/api/referrer", { headers, data: { uid, metadata: { name } } });
  return (await response.json()).metacode;
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, userAgent: IPHONE, hasTouch: true });

  test("shows who invites, the metacode and this phone's store, and asks nobody else", async ({
    page,
    request,
    baseURL,
  }) => {
    const metacode = await invite(request, "landing-phone", "Ada");
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on("request", (sent) => !sent.url().startsWith(baseURL ?? "") && foreign.push(sent.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const response = await page.goto(`/r/${metacode}`);
    expect(response?.request().redirectedFrom()).toBeNull();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Ada invited you to");
    await expect(page.locator("output")).toHaveText(metacode);
    await expect(page.getByRole("listitem")).toHaveCount(3);
    await expect(page.getByRole("navigation").getByRole("link").first()).toHaveAttribute(
      "href",
      /^https:\/\/apps\.apple\.com\/app\/id\d+$/,
    );
    expect(foreign.filter((url) => !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  test("copies the metacode", async ({ page, request, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const metacode = await invite(request, "landing-copy", "Ada");
    await page.goto(`/r/${metacode}`);
    await page.getByRole("button", { name: "Copy metacode" }).click();
    await expect(page.locator("[role=status]")).toHaveText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(metacode);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`is accessible, ${colorScheme}`, async ({ page, request }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/r/${await invite(request, `landing-${colorScheme}`, "Ada")}`);
      expect(await flawsOf(page)).toEqual([]);
      await page.goto("/r/zzzzzzzz");
      expect(await flawsOf(page)).toEqual([]);
    });
  }
});

test.describe("without script on a small Android phone", () => {
  test.use({ viewport: { width: 320, height: 568 }, userAgent: PIXEL, javaScriptEnabled: false });

  test("is complete, and shows no button that would do nothing", async ({ page, request }) => {
    const metacode = await invite(request, "landing-plain", "W".repeat(80));
    await page.goto(`/r/${metacode}`);
    await expect(page.locator("output")).toBeVisible();
    await expect(page.getByRole("button")).toHaveCount(0);
    const first = page.getByRole("navigation").getByRole("link").first();
    await expect(first).toHaveAttribute(
      "href",
      new RegExp(`^https://play.google.com/.*referrer=metacode%3D${metacode}%26click_id%3D[0-9a-f-]{36}$`),
    );
  });
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 320, height: 568 } });

  test("fits, also with a long name and twice the letter size", async ({ page, request }) => {
    await page.goto(`/r/${await invite(request, "landing-small", "W".repeat(80))}`);
    expect(await overflowOf(page)).toBe(0);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await overflowOf(page)).toBe(0);
  });
});

test.describe("on a desktop", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("shows both stores, in the colours of the system", async ({ page, request }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`/r/${await invite(request, "landing-desktop", "Ada")}`);
    await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(2);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).not.toBe(light);
    expect(await flawsOf(page)).toEqual([]);
  });

  test("an unknown link says so", async ({ page }) => {
    expect((await page.goto("/r/zzzzzzzz"))?.status()).toBe(404);
    await expect(page.getByRole("heading")).toHaveText("This link leads to no invitation");
  });

  test("a hostile name stays text", async ({ page, request }) => {
    const name = "<img src=x onerror=alert(1)>";
    let alerted = false;
    page.on("dialog", (dialog) => {
      alerted = true;
      void dialog.dismiss();
    });
    await page.goto(`/r/${await invite(request, "landing-hostile", name)}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.locator("img")).toHaveCount(0);
    expect(alerted).toBe(false);
  });
});

test("other methods are refused, HEAD is answered", async ({ request }) => {
  const metacode = await invite(request, "landing-methods", "Ada");
  const head = await request.head(`/r/${metacode}`);
  expect([head.status(), head.headers()["cache-control"]]).toEqual([200, "private, no-store"]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await request.fetch(`/r/${metacode}`, { method });
    expect([refused.status(), refused.headers().allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  }
});
