import { type APIRequestContext, expect, test } from "playwright/test";
import { axeViolations, horizontalOverflow } from "@/e2e/parts/page-checks";
import { IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";
import { sample } from "./sample";

/** A referrer of the sample workspace; returns its metacode. */
async function invite(request: APIRequestContext, uid: string, name: string): Promise<string> {
  const headers = { "x-api-key": sample().api_key };
  const response = await request.post("/api/referrer", { headers, data: { uid, metadata: { name } } });
  return (await response.json()).metacode;
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, userAgent: IPHONE_AGENT, hasTouch: true });

  test("shows the referrer's name, the metacode and this phone's store, without requests to other hosts", async ({
    page,
    request,
    baseURL,
  }) => {
    const metacode = await invite(request, "landing-phone", "Ada");
    const foreign: string[] = [];
    const errors: string[] = [];
    page.on("request", (sent) => !sent.url().startsWith(baseURL ?? "") && foreign.push(sent.url()));
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    const response = await page.goto(`/r/${metacode}`);
    expect(response?.request().redirectedFrom()).toBeNull();
    await expect(page.getByText("Ada invited you to")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("A promo code for you");
    await expect(page.locator("output")).toHaveText(metacode);
    await expect(page.getByRole("listitem")).toHaveCount(3);
    await expect(page.getByRole("navigation").getByRole("link").first()).toHaveAttribute(
      "href",
      /^https:\/\/apps\.apple\.com\/app\/id\d+$/,
    );
    expect(foreign.filter((url) => !url.startsWith("data:"))).toEqual([]);
    expect(errors).toEqual([]);
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

  test("copies the metacode in the browser of a chat app, which refuses the clipboard's own call", async ({
    page,
    request,
    context,
  }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
    });
    const metacode = await invite(request, "landing-copy-in-app", "Ada");
    await page.goto(`/r/${metacode}`);
    await page.getByRole("button", { name: "Copy metacode" }).click();
    await expect(page.locator("[role=status]")).toHaveText("Copied");
    await context.grantPermissions(["clipboard-read"]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(metacode);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`is accessible, ${colorScheme}`, async ({ page, request }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/r/${await invite(request, `landing-${colorScheme}`, "Ada")}`);
      await expect.poll(() => axeViolations(page)).toEqual([]);
      await page.goto("/r/zzzzzzzz");
      await expect.poll(() => axeViolations(page)).toEqual([]);
    });
  }
});

test.describe("without script on a small Android phone", () => {
  test.use({ viewport: { width: 320, height: 568 }, userAgent: PIXEL_AGENT, javaScriptEnabled: false });

  test("is complete, and shows no button that would have no effect", async ({ page, request }) => {
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

for (const width of [320, 390, 1280]) {
  test(`at ${width} pixels, what the friend gets is in the largest words, and badges have official proportions`, async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/r/${await invite(request, `landing-largest-${width}`, "Ada")}`);
    const largest = await page.evaluate(() => {
      const size = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
      const heading = size(document.querySelector("h1") as Element);
      const others = [...document.querySelectorAll("main *:not(h1, .tile)")];
      return others.every((element) => size(element) < heading);
    });
    expect(largest).toBe(true);
    for (const [badge, proportion] of [
      [".ios", 119.66 / 40],
      [".android", 135 / 40],
    ] as const) {
      const box = await page.locator(badge).boundingBox();
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(proportion, 1);
    }
  });
}

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 320, height: 568 } });

  test("fits, even with a long name and twice the font size", async ({ page, request }) => {
    await page.goto(`/r/${await invite(request, "landing-small", "W".repeat(80))}`);
    expect(await horizontalOverflow(page)).toBe(0);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await horizontalOverflow(page)).toBe(0);
  });
});

test.describe("on a desktop", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("shows both stores, in the colours of the system", async ({ page, request }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`/r/${await invite(request, "landing-desktop", "Ada")}`);
    await expect(page.getByRole("link", { name: "Download on the App Store" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Get it on Google Play" })).toBeVisible();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).not.toBe(light);
    await expect.poll(() => axeViolations(page)).toEqual([]);
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
    await expect(page.locator(".from")).toContainText(name);
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
