import { eq } from "drizzle-orm";
import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import {
  browserErrors,
  chooseOption,
  DESKTOP_VIEWPORT,
  expectAccessible,
  horizontalOverflow,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { apps, clicks, slugDirectory } from "@/lib/platform/db/schema";
import { IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";
import { inDatabase } from "./parts/database";

const own = withSample({ live: true, codes: 20 });

async function invite(request: APIRequestContext, uid: string, name = "Ada"): Promise<string> {
  const headers = { "x-api-key": own.current.api_key };
  const response = await request.post("/api/referrer", { headers, data: { uid, metadata: { name } } });
  return (await response.json()).metacode;
}

/** The number of clicks stored for the app of a metacode. */
const storedClicks = (metacode: string) =>
  inDatabase(async ({ orm }) => {
    const [slug] = await orm.select().from(slugDirectory).where(eq(slugDirectory.slug, metacode));
    const rows = await orm
      .select()
      .from(clicks)
      .where(eq(clicks.appId, slug?.appId ?? ""));
    return rows.length;
  });

const setApp = (values: Partial<typeof apps.$inferInsert>) =>
  inDatabase(({ orm }) => orm.update(apps).set(values).where(eq(apps.id, own.current.app_id)));

test.describe("a click", () => {
  // A headless browser says so in its user agent and would count as a robot.
  test.use({ userAgent: IPHONE_AGENT });

  test("is a page seen once; robots that fetch it do not count", async ({
    page,
    request,
    playwright,
    baseURL,
  }) => {
    const metacode = await invite(request, "seen");
    const before = await storedClicks(metacode);
    const robot = await playwright.request.newContext({ baseURL: baseURL ?? "", userAgent: "WhatsApp/2.23" });
    expect((await robot.get(`/r/${metacode}`)).status()).toBe(200);
    await robot.dispose();
    for (let visit = 0; visit < 2; visit++) {
      const acknowledged = page.waitForResponse((response) =>
        response.url().endsWith(`/r/${metacode}/click`),
      );
      await page.goto(`/r/${metacode}`);
      expect((await acknowledged).status()).toBe(204);
    }
    await expect.poll(() => storedClicks(metacode)).toBe(before + 1);
  });

  test.describe("without script", () => {
    test.use({ javaScriptEnabled: false });
    test("is counted by an image", async ({ page, request }) => {
      const metacode = await invite(request, "plain");
      const before = await storedClicks(metacode);
      await page.goto(`/r/${metacode}`);
      await expect.poll(() => storedClicks(metacode)).toBe(before + 1);
    });
  });
});

for (const [tag, direction] of [
  ["ar", "rtl"],
  ["he", "rtl"],
  ["de", "ltr"],
  ["th", "ltr"],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${tag}, ${colorScheme}`, () => {
      test.use({ locale: tag, colorScheme, viewport: PHONE_VIEWPORT, userAgent: IPHONE_AGENT });
      test("is sound, also at 320 pixels with twice the font size", async ({ page, request }) => {
        const errors = browserErrors(page);
        await page.goto(`/r/${await invite(request, `sound-${tag}`)}`);
        const html = page.locator("html");
        await expect(html).toHaveAttribute("lang", tag);
        await expect(html).toHaveAttribute("dir", direction);
        await expectAccessible(page);
        await page.locator("summary").click();
        await expectAccessible(page);
        await page.setViewportSize({ width: 320, height: 568 });
        await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
        expect(await horizontalOverflow(page)).toBe(0);
        expect(errors).toEqual([]);
      });
    });
  }
}

test.describe("the switcher", () => {
  test.use({ locale: "fr-CA", javaScriptEnabled: false, viewport: PHONE_VIEWPORT });
  test("is a link for each language, and works without script", async ({ page, request }) => {
    await page.goto(`/r/${await invite(request, "switch")}`);
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await page.locator("summary").click();
    await expect(page.locator("footer a")).toHaveCount(36);
    await page.getByRole("link", { name: "עברית" }).click();
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await page.goto("/r/zzzzzzzz?lang=ja");
    await expect(page.getByRole("heading")).toHaveText("このリンクの招待は見つかりません");
  });
});

async function storesShown(page: Page): Promise<string[]> {
  const links = await page.locator("nav a").all();
  return Promise.all(links.map(async (link) => new URL((await link.getAttribute("href")) ?? "").hostname));
}

test.describe("the app's stores", () => {
  const APPLE = "apps.apple.com";
  const GOOGLE = "play.google.com";
  const CASES: [string | null, string | null, string[], string[]][] = [
    ["1234567890", "com.example.app", [APPLE, GOOGLE], [GOOGLE, APPLE]],
    ["1234567890", null, [APPLE], [APPLE]],
    [null, "com.example.app", [GOOGLE], [GOOGLE]],
    [null, null, [], []],
  ];
  for (const [appleAppId, androidPackage, onIphone, onPixel] of CASES) {
    test(`${appleAppId ? "App Store" : "-"} and ${androidPackage ? "Google Play" : "-"}`, async ({
      browser,
      request,
      baseURL,
    }) => {
      await setApp({ appleAppId, androidPackage });
      // A new metacode, because the page of a known one is cached for five seconds.
      const metacode = await invite(request, `stores-${appleAppId}-${androidPackage}`);
      for (const [userAgent, shown] of [
        [IPHONE_AGENT, onIphone],
        [PIXEL_AGENT, onPixel],
      ] as const) {
        const page = await browser.newPage({ baseURL: baseURL ?? "", userAgent, viewport: PHONE_VIEWPORT });
        await page.goto(`/r/${metacode}`);
        expect(await storesShown(page)).toEqual(shown);
        await page.close();
      }
    });
  }
});

test.describe("on a desktop", () => {
  test.use({ viewport: DESKTOP_VIEWPORT });

  test("a QR code leads a phone to the page, in the owner's colour", async ({ page, request }) => {
    const errors = browserErrors(page);
    await setApp({ appleAppId: "1234567890", androidPackage: "com.example.app", accentColor: "#ffee00" });
    await page.goto(`/r/${await invite(request, "desktop")}`);
    await expect(page.getByRole("img", { name: "Scan to open this page on your phone" })).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    expect(errors).toEqual([]);
  });

  test("the metacode is shared if the browser can share", async ({ page, request }) => {
    await page.addInitScript(() => {
      const target = window as unknown as { shared: unknown };
      Object.assign(navigator, { share: async (data: unknown) => Object.assign(target, { shared: data }) });
    });
    const metacode = await invite(request, "share");
    await page.goto(`/r/${metacode}`);
    await page.getByRole("button", { name: "Share" }).click();
    const shared = await page.evaluate(() => (window as unknown as { shared: { url: string } }).shared);
    expect(shared.url).toMatch(new RegExp(`/r/${metacode}$`));
  });

  test("an owner writes custom texts beside the preview", async ({ page, request }) => {
    const errors = browserErrors(page);
    await page.goto(`/dashboard/apps/${own.current.app_id}/landing`);
    const lead = page.getByLabel("Below the heading");
    await chooseOption(page.getByLabel("Language"), "de", () =>
      expect(lead).toHaveAttribute("placeholder", /Gib diesen Metacode/, { timeout: 5_000 }),
    );
    const shown = page.frameLocator("iframe").locator("[data-text=lead]");
    await lead.fill("Hol dir {app} von <b>mir</b>");
    await expect(shown).toHaveText(/^Hol dir .+ von <b>mir<\/b>$/);
    await lead.fill("{code}");
    await page.getByRole("button", { name: "Save" }).last().click();
    await expect(
      page.getByText("This may contain no placeholders other than {app}, {metacode}"),
    ).toBeVisible();
    await lead.fill("Hol dir {app}!");
    await page.getByRole("button", { name: "Save" }).last().click();
    await expect(page.getByText("Saved")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("What the friend gets").fill("Ein Monat {app} gratis");
    await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText(
      /^Ein Monat .+ gratis$/,
    );
    const metacode = await invite(request, "own-texts");
    await page.goto(`/r/${metacode}?lang=de`);
    await expect(page.locator(".lead")).toHaveText(/^Hol dir .+!$/);
    await page.goto(`/r/${metacode}?lang=en`);
    await expect(page.locator(".lead")).toHaveText(/^Enter this metacode/);
    expect(errors).toEqual([]);
  });

  test("the preview follows the colour, the device and the colour scheme before anything is saved", async ({
    page,
  }) => {
    const errors = browserErrors(page);
    await page.goto(`/dashboard/apps/${own.current.app_id}/landing?lang=he`);
    const frame = page.frameLocator("iframe");
    const image = page.getByRole("img", { name: "The icon, the app, the inviter and the metacode" });
    // The preview may just be loading; the poll then tries again.
    const fill = () =>
      frame
        .locator(":root")
        .evaluate((root) => getComputedStyle(root).getPropertyValue("--fill"))
        .catch(() => "");
    const drawn = async () => (await page.request.get((await image.getAttribute("src")) ?? "")).body();
    const before = await drawn();
    await expect(frame.locator("html")).toHaveAttribute("dir", "rtl");
    await expect(frame.locator(".qr")).toHaveCount(0);
    await page.getByLabel("Pick the accent colour").fill("#b3005e");
    await expect(page.locator("input[name=accentColor]")).toHaveValue("#b3005e");
    await expect.poll(fill).toBe("#b3005e");
    await expect(image).toHaveAttribute("src", /accent=%23b3005e/);
    expect((await drawn()).equals(before)).toBe(false);
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    const ground = () =>
      frame
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor)
        .catch(() => "");
    await expect.poll(ground).toBe("rgb(18, 19, 22)");
    await page.getByRole("button", { name: "Desktop" }).click();
    await expect(frame.locator(".qr")).toBeVisible();
    await page.locator("input[name=accentColor]").fill("#ffee00");
    await expect(
      page.getByText(/^Hard to read as it is, so text uses #\w{6} in light mode\.$/),
    ).toBeVisible();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });
});
