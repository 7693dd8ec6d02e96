import { expect, type Page, test } from "playwright/test";
import { DIFFERENCES } from "@/components/site/differences";
import { THEME_COOKIE } from "@/components/ui/theme";
import { browserErrors, expectSoundInEveryForm, openHydrated, VIEWPORTS } from "@/e2e/parts/page-checks";
import { DEMO_WORKSPACE_ID } from "@/lib/program/demo/renew";

test("the front page is sound in every form", async ({ page }) => {
  const errors = browserErrors(page);
  await page.goto("/");
  for (const viewport of Object.values(VIEWPORTS)) {
    await page.setViewportSize(viewport);
    await expect(page.getByRole("img", { name: "The loop" }).filter({ visible: true })).toHaveCount(1);
  }
  await expectSoundInEveryForm(page);
  expect(errors).toEqual([]);
});

test("the rows of its lists are full at every width", async ({ page }) => {
  await page.goto("/");
  for (const [width, differences, calls] of [
    [390, [1, 1, 1, 1, 1], [1, 1, 1, 1]],
    [700, [2, 2, 1], [2, 2]],
    [1280, [3, 2], [4]],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => fullRows(page, "Five differences"), `${width}`).toEqual(differences);
    await expect.poll(() => fullRows(page, "The whole loop in four calls"), `${width}`).toEqual(calls);
  }
  await page.setViewportSize(VIEWPORTS.phone);
  const footer = page.getByRole("contentinfo");
  const [licence, first] = [footer.getByText("Apache License"), footer.getByRole("link").first()];
  const boxes = await Promise.all([licence.boundingBox(), first.boundingBox()]);
  expect(boxes[1]?.y, "the links begin below the licence").toBeGreaterThan(boxes[0]?.y ?? 0);
  expect(boxes[1]?.x).toBe(boxes[0]?.x);
});

/** The number of items in each full-width row of the list below a heading. */
function fullRows(page: Page, heading: string): Promise<number[]> {
  const list = page.getByRole("region", { name: heading, exact: true }).locator("ol");
  return list.evaluate((shown) => {
    const boxes = [...shown.children].map((item) => item.getBoundingClientRect());
    const rows = Map.groupBy(boxes, ({ top }) => Math.round(top));
    const { left, right } = shown.getBoundingClientRect();
    return [...rows.values()]
      .filter((row) => Math.min(...row.map((box) => box.left)) < left + 2)
      .filter((row) => Math.max(...row.map((box) => box.right)) > right - 2)
      .map((row) => row.length);
  });
}

test("it is complete without script and makes no request to other hosts", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  await page.goto("/");
  await expect(page.getByText("store_url")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Yours with one command" })).toBeVisible();
  for (const { title, proof } of DIFFERENCES) {
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.getByRole("link", { name: proof.name })).toHaveAttribute("href", proof.href);
  }
  expect([...hosts]).toEqual([baseURL]);
  await context.close();
});

test("the page for an address without one is sound in every form", async ({ page }) => {
  expect((await page.goto("/nothing"))?.status()).toBe(404);
  await expectSoundInEveryForm(page);
});

test("the demo opens without script, cannot be changed, and leads to sign-up", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const plain = await context.newPage();
  await plain.goto("/");
  await plain.getByRole("button", { name: "Open the demo" }).click();
  await expect(plain.getByRole("heading", { name: "Fitness" })).toBeVisible();
  const cookies = await context.cookies();
  await context.close();
  const own = await browser.newContext({ baseURL: baseURL ?? "" });
  await own.addCookies(cookies);
  const page = await own.newPage();
  const errors = browserErrors(page);
  await page.goto("/dashboard");
  await page.getByRole("main").getByRole("link", { name: "Fitness" }).click();
  await expect(page.getByRole("heading", { name: "Fitness" })).toBeVisible();
  const banner = page.getByRole("complementary", { name: "Demo" });
  await expect(banner).toContainText("Demo: read-only, reset every night");
  await expectSoundInEveryForm(page);
  expect(errors).toEqual([]);
  await expect(page.getByRole("region", { name: "Getting started" })).toHaveCount(0);
  await page.getByText(": switch app or workspace").click();
  await expect(page.getByRole("menuitem", { name: "All apps" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Create workspace" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  for (const [path, title, missing] of [
    [`${page.url()}/alerts`, "Alerts", "Weekly email"],
    [`${page.url()}/campaigns/new`, "New campaign", "Preview"],
    [`/dashboard/workspaces/${DEMO_WORKSPACE_ID}/settings`, "Workspace settings", "Leave and delete"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("heading", { name: missing })).toHaveCount(0);
  }
  await page.goto("/dashboard/workspaces/new");
  await page.getByLabel("Name").fill("Mine");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(page.getByText("The demo is read-only")).toBeVisible();
  expect((await page.goto("/dashboard/account"))?.status()).toBe(404);
  await banner.getByRole("link", { name: "Sign up" }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Leave the demo" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await own.close();
});

for (const [system, chosen] of [
  ["light", undefined],
  ["dark", undefined],
  ["light", "dark"],
] as const) {
  const theme = chosen ?? system;
  const look = chosen ? `${theme}, chosen on a ${system} system` : theme;
  test(`it shows and loads the product's pictures in ${look} only, the first with the document`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ colorScheme: system, baseURL: baseURL ?? "" });
    if (chosen) await context.addCookies([{ name: THEME_COOKIE, value: chosen, url: baseURL ?? "" }]);
    const page = await context.newPage();
    const loaded = new Set<string>();
    const priorities: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/product/")) loaded.add(`${response.status()} ${pathname}`);
    });
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ request, initiator }) => {
      if (request.url.includes("/product/overview"))
        priorities.push(`${initiator.type} ${request.initialPriority}`);
    });
    await page.goto("/", { waitUntil: "networkidle" });
    expect(priorities).toEqual(["parser High"]);
    const shown = page.locator("main img").filter({ visible: true });
    for (const picture of await shown.all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect(picture).toHaveJSProperty("complete", true);
    }
    const small = [`landing-${theme}-420`, `overview-${theme}-760`];
    await expect.poll(() => [...loaded].sort()).toEqual(small.map((name) => `200 /product/${name}.webp`));
    await context.close();
  });
}

test("its reader sees at once that a page is loading, also from page to page of the documentation", async ({
  page,
}) => {
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  await openHydrated(page, "/");
  for (const [link, path] of [
    [page.getByRole("contentinfo").getByRole("link", { name: "Docs" }), "/docs"],
    [
      page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Privacy" }),
      "/docs/privacy",
    ],
  ] as const) {
    let release = () => undefined as unknown;
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route(new RegExp(`${path}\\?_rsc`), async (route) => {
      await held;
      await route.continue();
    });
    await link.click();
    await expect(bar).toBeAttached();
    release();
    await page.waitForURL(`**${path}`);
    await expect(bar).toHaveCount(0);
  }
});

test("a page that does not arrive is loaded as a whole", async ({ page }) => {
  await page.clock.install();
  await openHydrated(page, "/docs");
  // The framework never gets its response.
  await page.route(/[?&]_rsc=/, () => undefined);
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Privacy" })
    .click();
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toBeAttached();
  await page.clock.fastForward(31_000);
  await expect(page).toHaveURL(/\/docs\/privacy$/);
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toHaveCount(0);
});

test("colours fade, but not for a reader who asked for less motion", async ({ page }) => {
  await page.goto("/");
  const fading = page.locator("[class*=transition-colors]").first();
  await expect(fading).toHaveCSS("transition-duration", "0s");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect(fading).toHaveCSS("transition-duration", "0.15s");
});

test("its links work, and its head describes it", async ({ page, request, baseURL }) => {
  await page.goto("/");
  const links = await page
    .locator("a[href]")
    .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
  for (const link of new Set(links)) expect((await request.get(link)).status(), link).toBe(200);
  const meta = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`);
  await expect(meta("og:title")).toHaveAttribute("content", /promo code/);
  await expect(meta("og:url")).toHaveAttribute("content", new RegExp(`^${baseURL}/?$`));
  const picture = await meta("og:image").getAttribute("content");
  expect(picture).toMatch(new RegExp(`^${baseURL}/`));
  expect((await request.get(picture ?? "")).headers()["content-type"]).toBe("image/png");
  await expect(meta("twitter:card")).toHaveAttribute("content", "summary_large_image");
  await expect(meta("description")).toHaveAttribute("content", /.{50}/);
});

test("robots find the public pages, and may read everything that phones or previews need", async ({
  request,
  baseURL,
}) => {
  const robots = await (await request.get("/robots.txt")).text();
  const closed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path);
  expect(closed.sort()).toEqual(["/api/", "/dashboard", "/mailbox"]);
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const pages = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = ""]) => url);
  expect(pages).toContain(`${baseURL}/docs/quickstart`);
  for (const url of pages) expect((await request.get(url)).status(), url).toBe(200);
});
