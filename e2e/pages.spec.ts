import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "playwright/test";
import { browserErrors, DESKTOP_VIEWPORT, expectAccessible, PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { crawlPages, declaredPages } from "@/e2e/parts/pages";
import { cookiesOf } from "@/e2e/parts/sign-in";
import { seedSampleApp } from "@/e2e/seed/sample-app";

/** The limit of a dashboard page's compressed scripts in bytes. */
const MAX_SCRIPT = 250 * 1024;

test.describe.configure({ mode: "serial" });

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
let paths: string[] = [];
/** Addresses of the same pages in further states, which the crawl does not reach. */
let views: string[] = [];

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? "" });
  views = await seedSampleApp(request);
  await request.dispose();
  cookies = await cookiesOf(browser, baseURL);
});

test.beforeEach(({ context }) => context.addCookies(cookies));

test("every page of the dashboard is found by following links", async ({ page }) => {
  test.setTimeout(240_000);
  const found = await crawlPages(page, ["/dashboard", "/dashboard/account", "/dashboard/workspaces/new"]);
  paths = [...found.values()];
  expect([...found.keys()].sort()).toEqual(declaredPages().sort());
});

for (const [device, viewport] of Object.entries({ desktop: DESKTOP_VIEWPORT, phone: PHONE_VIEWPORT })) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`every page is sound on a ${device} in ${colorScheme}`, async ({ page }) => {
      test.setTimeout(300_000);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const errors = browserErrors(page);
      // Each state is checked in both widths and both colour schemes, but not in all four combinations, which would
      // take minutes.
      const states = (device === "phone") === (colorScheme === "light") ? views : [];
      for (const path of [...paths, ...states]) {
        await test.step(path, async () => {
          await page.goto(path);
          await expectAccessible(page, expect.soft);
          expect.soft(errors.splice(0)).toEqual([]);
        });
      }
      expect(paths.length).toBeGreaterThan(20);
      expect(views.length).toBeGreaterThan(20);
    });
  }
}

test("no page loads more than 250 KB of compressed script", async ({ page }) => {
  test.setTimeout(120_000);
  const weights: Record<string, number> = {};
  for (const path of paths) weights[path] = await scriptOf(page, path);
  const heavy = Object.entries(weights).filter(([, bytes]) => bytes > MAX_SCRIPT);
  expect(heavy).toEqual([]);
  expect(Math.min(...Object.values(weights))).toBeGreaterThan(10_000);
});

/** The compressed bytes of all scripts that a page loads by itself. */
async function scriptOf(page: Page, path: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const take = (response: { request(): { resourceType(): string }; body(): Promise<Buffer> }) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  };
  page.on("response", take);
  await page.goto(path, { waitUntil: "networkidle" });
  page.off("response", take);
  const loaded = await Promise.all(bodies);
  return loaded.reduce((sum, body) => sum + gzipSync(body).length, 0);
}
