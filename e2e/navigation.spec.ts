import { expect, test } from "playwright/test";
import {
  browserErrors,
  expectAccessible,
  hydrated,
  openHydrated,
  openPalette,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";
import { sample } from "./sample";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

test("the palette is accessible with results and without, and so is the menu of apps", async ({ page }) => {
  await page.goto(`/dashboard/apps/${sample().app_id}`);
  const palette = await openPalette(page);
  await palette.getByRole("combobox").pressSequentially("campaign");
  await expect(palette.getByRole("option", { name: /campaign$/ }).first()).toBeVisible();
  await expectAccessible(page);
  await palette.getByRole("combobox").fill("zzzzqq");
  await expect(palette.getByText("No results.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /switch app or workspace$/ }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "All apps" })).toBeVisible();
  await expectAccessible(page);
});

test("the owner reaches every page by the palette and by keys", async ({ page }) => {
  const errors = browserErrors(page);
  const app = `/dashboard/apps/${sample().app_id}`;
  await page.goto(app);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  const find = async (typed: string, option: RegExp, address: RegExp) => {
    await openPalette(page);
    await palette.getByRole("combobox").fill(typed);
    await palette.getByRole("option", { name: option }).first().click();
    await expect(page).toHaveURL(address);
  };
  await find("landing page", /^Landing page/, /\/landing$/);
  await find("audit", /^Audit log/, /\/workspaces\/[0-9a-f-]+\/audit$/);
  // Outside an app, the pages of the nearest one.
  await find("landing page", /^Landing page/, /\/landing$/);
  await page.goto("/dashboard");
  await openPalette(page);
  await palette.getByRole("combobox").fill("landing page");
  await expect(palette.getByRole("option", { name: /^Landing page/ }).first()).toHaveText("Landing page");
  await page.keyboard.press("Escape");
  await find("adapty", /^Adapty provider/, /\/providers(\/[0-9a-f-]+)?$/);
  await page.goto(app);
  // The first item is chosen, although other pages match by keyword.
  await openPalette(page);
  await palette.getByRole("combobox").fill("delete");
  await expect(palette.getByRole("option").first()).toHaveText("Delete app");
  await expect(palette.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/delete$/);
  await page.goto(app);
  await find("invite a colleague", /^Invite a colleague/, /\/workspaces\/[0-9a-f-]+\?new$/);
  const invite = page.getByRole("dialog", { name: "Invite a team member" });
  await invite.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/workspaces\/[0-9a-f-]+$/);
  await page.goto(app);
  // Another test may have connected the provider, which then has its own page.
  await find("adapty", /^Adapty provider/, /\/providers(\/[0-9a-f-]+)?$/);

  expect(errors).toEqual([]);

  // A search that fails says so, and can be repeated.
  await page.route(/\/providers/, (route) => route.abort());
  const opener = page.getByRole("banner").getByRole("button", { name: "Search" });
  await opener.press("Enter");
  await palette.getByRole("combobox").fill("invite");
  await expect(palette.getByText("Search in this app failed.")).toBeVisible();
  await page.unrouteAll();
  await palette.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await expect(palette.getByRole("option", { name: /campaign/ }).first()).toBeVisible();
  await expect(palette.getByText("Search in this app failed.")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(opener).toBeFocused();
  await find("invite", /campaign/, /\/campaigns\/[0-9a-f-]+$/);
  await openPalette(page);
  await palette.getByRole("combobox").fill("install referrer");
  await expect(
    palette.getByRole("group", { name: "Documentation" }).getByRole("option").first(),
  ).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);

  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/referrers$/);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("API keys")).toBeVisible();
  await expectAccessible(page);
  await sheet.getByLabel("Use single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  // If this key opened the palette, the next one would close it.
  await page.keyboard.press("/");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette).toHaveCount(1);
});

test("a search that cannot be loaded says so, leaves the input on the page, and opens at the next try", async ({
  page,
  context,
}) => {
  await openHydrated(page, `/dashboard/apps/${sample().app_id}/settings`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Not saved yet");
  await name.blur();
  const failed = page.getByText("The search could not be loaded");
  await context.setOffline(true);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(failed).toBeVisible();
  await expect(name).toHaveValue("Not saved yet");
  await context.setOffline(false);
  await openPalette(page);

  await page.goto("/docs");
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.keyboard.press("/");
  await expect(failed).toBeVisible();
  await context.setOffline(false);
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog", { name: "Search the documentation" })).toBeVisible();
});

test("a palette that cannot search the documentation says so, and tries again", async ({ page }) => {
  await page.route("**/docs/search.json", (route) => route.abort());
  await page.goto(`/dashboard/apps/${sample().app_id}`);
  const palette = await openPalette(page);
  const failed = palette.getByText("Search in the documentation failed.");
  for (const text of ["install referrer", " ", "install referrer"]) {
    await palette.getByRole("combobox").fill(text);
    await expect(failed).toBeVisible({ visible: text !== " " });
  }
  await page.unrouteAll();
  await palette.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(palette.getByRole("group", { name: "Documentation" })).toBeVisible();
});

test("the overview stays when the script of its chart cannot be loaded", async ({ page }) => {
  const app = `/dashboard/apps/${sample().app_id}`;
  const html = await (await page.request.get(app)).text();
  let refused = 0;
  await page.route("**/_next/static/chunks/**", (route) => {
    if (html.includes(new URL(route.request().url()).pathname)) return route.continue();
    refused++;
    return route.abort();
  });
  await openHydrated(page, app);
  // The script is requested twice before it counts as failed.
  await expect.poll(() => refused).toBe(2);
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("heading", { name: "Confirmed by day" })).toBeVisible();
});

test("the owner sees at once that a page is loading, and finds the way from a missing one", async ({
  page,
}) => {
  const app = `/dashboard/apps/${sample().app_id}`;
  const ahead: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("_rsc=")) ahead.push(request.url());
  });
  await page.goto(app, { waitUntil: "networkidle" });
  await hydrated(page);
  expect(ahead).toEqual([]);
  let release = () => undefined as unknown;
  const held = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route(/\/referrers\?_rsc/, async (route) => {
    await held;
    await route.continue();
  });
  const nav = page.getByRole("navigation", { name: "App" });
  await nav.getByRole("link", { name: "Referrers" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toBeAttached();
  await expect(nav.getByRole("link", { name: "Referrers" })).toHaveAttribute("aria-current", "page");
  release();
  await expect(page).toHaveURL(/\/referrers$/);
  await expect(page.getByRole("progressbar", { name: "Loading the page" })).toHaveCount(0);

  await page.goto(`${app}/campaigns/${sample().app_id}`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(nav).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
});

test("on a phone, the menu lists every page, also those of the workspace", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(`/dashboard/apps/${sample().app_id}`);
  await page.getByRole("button", { name: /^Overview/ }).click();
  const menu = page.getByRole("navigation", { name: "App" });
  await expect(menu.getByRole("link", { name: "Overview" })).toHaveAttribute("aria-current", "page");
  await expectAccessible(page);
  await menu.getByRole("link", { name: "Audit log" }).click();
  await expect(page).toHaveURL(/\/audit$/);
  await expect(menu).toBeHidden();
  await expect(page.getByRole("button", { name: /^Audit log/ })).toBeVisible();
});

test("a message that follows the same message is shown for its whole time", async ({ page }) => {
  await page.clock.install();
  await page.goto("/dashboard");
  const message = page.getByText("Saved it");
  const show = () =>
    page.evaluate(async () => {
      window.dispatchEvent(new CustomEvent("metacode:toast", { detail: "Saved it" }));
      // React renders and starts its timer in separate tasks.
      for (let task = 0; task < 10; task++) {
        const { port1, port2 } = new MessageChannel();
        await new Promise((resolve) => {
          port1.onmessage = resolve;
          port2.postMessage(undefined);
        });
      }
    });
  // The status is in the page before there is a message, so that screen readers know it.
  await expect(page.getByRole("status").and(page.locator("[popover]"))).toHaveCount(1);
  // The page listens only once it is hydrated.
  await expect(async () => {
    await show();
    await expect(message).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await expect(message).toBeHidden();
  for (let times = 0; times < 2; times++) {
    await show();
    await expect(message).toBeVisible();
    await page.clock.runFor(3_000);
  }
  await expect(message).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(message).toBeHidden();
});
