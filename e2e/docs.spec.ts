import { expect, type Page, test } from "playwright/test";
import {
  DESKTOP_VIEWPORT,
  expectAccessible,
  expectSoundPages,
  inParts,
  openHydrated,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { expectSoundTexts } from "@/e2e/parts/texts";
import { docsLibrary } from "@/lib/web/docs/library";

const field = (page: Page) => page.getByRole("combobox", { name: "Search terms" });

/** Opens the search with its button and types a query. */
async function search(page: Page, query: string) {
  await page.getByRole("link", { name: "Search the documentation" }).click();
  await field(page).fill(query);
}

/** A page of each kind. */
const KINDS = ["/docs", "/docs/search?q=key", "/docs/quickstart", "/docs/swift", "/docs/decisions/speed"];
const TEXTS = docsLibrary().pages.flatMap(({ href }) => (KINDS.includes(href) ? [] : [href]));

test("a page of each kind is sound in every form", async ({ page }) => {
  await expectSoundPages(page, [...KINDS, "/docs/api/redeem-metacode"]);
});

for (const [index, part] of inParts(TEXTS, 4).entries()) {
  test(`every other page is sound, part ${index + 1}`, async ({ page }) => {
    await expectSoundTexts(page, part);
  });
}

for (const keys of ["Control+k", "Meta+k", "/"]) {
  test(`a search by keyboard alone: ${keys}, words, arrows, Enter and Escape`, async ({ page }) => {
    await openHydrated(page, "/docs");
    await page.keyboard.press(keys);
    await expect(field(page)).toBeFocused();
    await page.keyboard.type("offline retries");
    const results = page.getByRole("option");
    await expect(results.first()).toHaveAttribute("aria-selected", "true");
    await expect(results.first().locator("mark").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(field(page)).toHaveCount(0);
    await page.keyboard.press(keys);
    await expect(field(page)).toBeFocused();
    await page.keyboard.type("offline");
    await expect(results.first()).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await expect(results.last()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    const href = await results.first().getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${href}`);
    await expect(field(page)).toHaveCount(0);
  });
}

test("the data of a long page has each part of its text once, without wrappers", async ({ request }) => {
  const html = await (await request.get("/docs/providers")).text();
  const fragment = /\b([0-9a-f]+):\\"\$Sreact\.fragment\\"/.exec(html)?.[1];
  expect(fragment).toBeDefined();
  // A fragment for each part would add 60 kB; the frame of the application has a few.
  expect(html.split(`[\\"$\\",\\"$${fragment}\\"`).length).toBeLessThan(100);
});

test("decisions are found only when the reader asks for them", async ({ page }) => {
  await openHydrated(page, "/docs");
  await search(page, "decision crash test");
  const decision = page.getByRole("option").and(page.locator('[href^="/docs/decisions/"]'));
  await expect(page.getByRole("option").first()).toBeVisible();
  await expect(decision).toHaveCount(0);
  await page.getByLabel("Include design decisions").check();
  await expect(decision.first()).toBeVisible();
});

test("a search whose texts cannot be loaded shows the way to the page of results", async ({ page }) => {
  await page.route("**/docs/search.json", (route) => route.abort());
  await page.goto("/docs");
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("webhook");
  const note = page.getByText("Press Enter to search on a separate page");
  await expect(note).toBeVisible();
  // Visible, and not only for screen readers.
  expect((await note.boundingBox())?.height).toBeGreaterThan(10);
});

test("the list of results is accessible on a phone, and an empty result is announced", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await openHydrated(page, "/docs/swift");
  await search(page, "universal link");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page);
  await field(page).fill("zzzzqqqq");
  await expect(page.getByText("No results")).toBeVisible();
  await expectAccessible(page);
});

test("without script a search is a page", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/docs");
  await page.getByRole("link", { name: "Search the documentation" }).click();
  await page.getByRole("searchbox").fill("app review");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByText(/results? for/)).toBeVisible();
  await page
    .getByRole("listitem")
    .getByRole("link", { name: /App Review/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E");
  await expect(page.getByRole("searchbox")).toHaveValue("<script>alert(1)</script>");
  await context.close();
});

test("a change of the language keeps the section in view", async ({ page }) => {
  await openHydrated(page, "/docs/swift");
  await page.locator("#claim-rewards").scrollIntoViewIfNeeded();
  await page.locator("#claim-rewards").evaluate((part) => part.scrollIntoView());
  await page.getByRole("navigation", { name: "Language" }).getByRole("link", { name: "Kotlin" }).click();
  await page.waitForURL("**/docs/kotlin#claim-rewards");
  await expect(page.getByRole("heading", { level: 1, name: "Kotlin" })).toBeVisible();
});

test("code is copied exactly as in the file", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openHydrated(page, "/docs/quickstart");
  await page.getByRole("button", { name: "Copy this Shell block" }).first().click();
  await expect(page.getByText("Copied").first()).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm start");
});

test("a page is copied as Markdown, whose links lead to Markdown", async ({ page, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openHydrated(page, "/docs/swift");
  await page.getByRole("button", { name: "Copy page" }).click();
  await expect(page.getByText("Copied").first()).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^# Swift\n/);
  expect(copied).toContain(`(${baseURL}/docs/user-ids.md)`);
});

test("every page exists as Markdown", async ({ request }) => {
  for (const { href } of docsLibrary().pages) {
    const response = await request.get(`${href}.md`);
    expect.soft(response.status(), href).toBe(200);
    expect.soft(await response.text(), href).toMatch(/^# \S/);
    expect.soft(response.headers()["content-type"], href).toBe("text/markdown; charset=utf-8");
  }
  expect((await request.get("/docs/nothing.md")).status()).toBe(404);
});

for (const path of ["/docs/swift", "/docs/quickstart", "/docs/api/redeem-metacode"]) {
  for (const viewport of [DESKTOP_VIEWPORT, PHONE_VIEWPORT]) {
    test(`no heading of ${path} hides under the bar, ${viewport.width} pixels wide`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await openHydrated(page, path);
      const ids = await page.locator("article h2[id]").evaluateAll((all) => all.map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(2);
      for (const id of ids) {
        await page.goto(`${path}#${id}`);
        const isCovered = (own: string) => {
          const heading = document.getElementById(own);
          const { left, top } = heading?.getBoundingClientRect() ?? { left: 0, top: 0 };
          return !heading?.contains(document.elementFromPoint(left + 2, top + 2));
        };
        await expect.soft.poll(() => page.evaluate(isCovered, id), id).toBe(false);
      }
    });
  }
}

test("a missing page keeps the frame, offers a search and similar pages", async ({ page }) => {
  const response = await page.goto("/docs/guides/app-review");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Documentation" })).toBeVisible();
  const similar = page.getByRole("region", { name: "Similar pages" }).getByRole("link").first();
  await expect(similar).toBeVisible();
  await expectAccessible(page);
  await similar.click();
  await page.waitForURL("**/docs/app-review**");
  // An address with a mistyped word, and one without any known word.
  await page.goto("/docs/quikstart");
  await expect(page.getByLabel("Search terms")).toHaveValue("quikstart");
  await expect(similar).toHaveAttribute("href", "/docs/quickstart");
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto("/docs/zzzz", { waitUntil: "networkidle" });
  await expect(page.getByLabel("Search terms")).toHaveValue("zzzz");
  await expect(page.getByRole("region", { name: "Similar pages" })).toHaveCount(0);
  expect(loaded.filter((url) => url.includes("search.json"))).toEqual([]);
});

test("the index shows each description in full", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto("/docs");
  const descriptions = page.getByRole("main").locator("li > p");
  expect(await descriptions.count()).toBeGreaterThan(10);
  const cut = (texts: Element[]) =>
    texts.filter((text) => text.scrollHeight > text.clientHeight).map(({ textContent }) => textContent);
  expect(await descriptions.evaluateAll(cut)).toEqual([]);
});

test("a phone folds the lists away and finds every page in them", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto("/docs/quickstart");
  const nav = page.getByRole("navigation", { name: "All pages" });
  const fraud = nav.getByRole("link", { name: "Fraud" });
  await expect(fraud).toBeHidden();
  await nav.getByText("All pages").click();
  await fraud.click();
  await expect(page.getByRole("heading", { level: 1, name: "Fraud" })).toBeVisible();
  await expect(fraud).toBeHidden();
  await page.keyboard.press("Enter");
  await fraud.press("Enter");
  await expect(fraud).toBeHidden();
  await expect(nav.locator("summary")).toBeFocused();
});

test("texts for machines exist and are cached by their hash", async ({ request, baseURL }) => {
  const index = await request.get("/llms.txt");
  expect(await index.text()).toContain(`[Quickstart](${baseURL}/docs/quickstart)`);
  expect(await (await request.get("/llms-full.txt")).text()).toContain("# Self-hosting");
  const search = await request.get("/docs/search.json");
  const again = await request.get("/docs/search.json", {
    headers: { "if-none-match": search.headers().etag ?? "" },
  });
  expect(again.status()).toBe(304);
});

test("a page names its public address", async ({ page, baseURL }) => {
  await page.goto("/docs/swift?from=somewhere");
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", `${baseURL}/docs/swift`);
});

test("an address without a page is not found", async ({ request }) => {
  for (const path of ["nothing", "decisions/nothing", "quickstart/more", "guides/swift.md"]) {
    expect((await request.get(`/docs/${path}`)).status(), path).toBe(404);
  }
});
