import { setTimeout as pause } from "node:timers/promises";
import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import {
  browserErrors,
  expectAccessible,
  expectSoundInEveryForm,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { DAY_MS } from "@/lib/contract/format";
import { IPHONE_AGENT } from "@/lib/testing/user-agents";
import { callApi, sendRevenueCatEvent } from "./parts/api";

/** The figures of these tests belong to one day, so a few minutes before its end the tests wait for the next day. */
test.beforeAll(async () => {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 4 * 60_000) await pause(left);
});

const own = withSample({ threshold: 1, codes: 60 });
let fresh: string;

const overview = (search = "") => `/dashboard/apps/${own.current.app_id}${search}`;

const funnel = (page: Page) => page.getByRole("list", { name: "Funnel" });

/** The big numbers of the funnel, in its order. */
const numbers = (page: Page) => funnel(page).locator(".text-2xl");

async function call(request: APIRequestContext, path: string, data: object) {
  const response = await callApi(request, own.current.api_key, path, data);
  expect(response.status()).toBe(200);
  return response.json();
}

test("a new app is guided through its first steps, and the card can be hidden", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Create app" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Fresh app");
  await dialog.getByRole("button", { name: "Create app" }).click();
  await page.waitForURL(/\/dashboard\/apps\/[0-9a-f-]{36}/);
  fresh = `/dashboard/apps/${/[0-9a-f-]{36}/.exec(page.url())?.[0]}`;
  await page.goto(fresh);
  const card = page.getByRole("region", { name: "Getting started" });
  await expect(card).toContainText("0 of 8 steps done");
  await card.getByRole("link", { name: "Continue" }).click();
  await page.waitForURL(`**${fresh}/start`);
  const upload = page.getByRole("link", { name: "Import codes" });
  await expect(upload.nth(1)).toHaveAttribute("href", `${fresh}/codes/import?use=reward&from=start`);
  await expect(page.getByRole("button", { name: "Add sample codes" })).toHaveCount(0);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("dialog")).toContainText("Create API key");
  await page.keyboard.press("Escape");
  await expect(page.getByText(/curl -s http.*\/api\/referrer/)).toBeVisible();
  await page.goto(fresh);
  await card.getByRole("button", { name: /^Hide getting started/ }).click();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(funnel(page)).toBeVisible();
  await expect(card).toHaveCount(0);
});

test("every figure changes with its events, from the click to the claimed reward", async ({
  page,
  request,
}) => {
  await page.goto(overview());
  await expect(numbers(page)).toHaveText(["0", "0", "0", "0", "0"]);
  await expect(page.getByRole("region", { name: "Getting started" })).toContainText("6 of 8 steps done");
  const { metacode } = await call(request, "referrer", { uid: "anna", metadata: { name: "Anna Berg" } });
  const seen = await request.post(`/r/${metacode}/click`, { headers: { "user-agent": IPHONE_AGENT } });
  expect(seen.status()).toBe(204);
  await call(request, "referee-redeem", { referee_uid: "bob", metacode, platform: "ios" });
  await call(request, "referee-redeem", { referee_uid: "cid", metacode, platform: "android" });
  await sendRevenueCatEvent(request, own.current.providers.revenuecat, "bob");
  await call(request, "referrer-claim", { uid: "anna" });
  await sendRevenueCatEvent(request, own.current.providers.revenuecat, "stranger");
  // A click is written within a second.
  await expect(async () => {
    await page.reload();
    await expect(numbers(page)).toHaveText(["1", "2", "1", "1", "1"], { timeout: 3_000 });
  }).toPass();
  await expect(page.getByText("Anna Berg claimed reward 1 (iOS)")).toBeVisible();
  await expect(page.getByRole("link", { name: "bob" }).first()).toHaveAttribute("href", /\/referrals\//);
  const stock = page.getByRole("region", { name: "Stock" });
  await expect(stock.getByText("59", { exact: true })).toHaveCount(3);
  await expect(page.getByText("1 confirmation without a referral")).toBeVisible();
  await expect(page.getByRole("region", { name: "Getting started" })).toHaveCount(0);
});

test("range, campaign, platform and step are in the address bar", async ({ page }) => {
  await page.goto(overview());
  await page.getByRole("link", { name: "7 days", exact: true }).click();
  await page.waitForURL("**?range=7d");
  await page.getByLabel("Platform").selectOption("ios");
  await page.waitForURL(/platform=ios/);
  await expect(numbers(page)).toHaveText(["–", "1", "1", "1", "1"]);
  await funnel(page)
    .getByRole("link", { name: /Code assigned/ })
    .click();
  await page.waitForURL(/step=assigned/);
  expect(page.url()).toMatch(/range=7d.*platform=ios/);
  await expect(page.getByRole("img", { name: "Code assigned by day" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Platform")).toHaveValue("ios");
  await page.goto(overview("?range=nonsense&campaign=nonsense&step=&platform=both"));
  await expect(page.getByRole("img", { name: "Confirmed by day" })).toBeVisible();
});

test("chosen days are in the address bar, and the chart marks the start of the campaign and an unfinished day", async ({
  page,
}) => {
  await page.goto(overview());
  await page.getByRole("link", { name: "Custom" }).click();
  await page.waitForURL(/range=custom&from=/);
  const last = await page.getByLabel("Last day, UTC").inputValue();
  await page.getByLabel("First day, UTC").fill(last);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.waitForURL(new RegExp(`from=${last}&to=${last}`));
  await expect(numbers(page)).toHaveText(["1", "2", "1", "1", "1"]);
  await expect(page.getByText("day before", { exact: false }).first()).toBeVisible();
  await page.goto(overview("?range=7d"));
  await expect(page.getByRole("list", { name: "Campaigns in this period" })).toContainText("started");
  await expect(page.locator("path[data-unfinished]")).toHaveCount(1);
});

test("a list is sorted by a heading, and its link has the order in it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${overview("/referrers")}`);
  await page.getByRole("link", { name: "Confirmed" }).click();
  await page.waitForURL("**/referrers?sort=confirmed");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Link copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.goto(overview("/campaigns"));
  await page.getByRole("link", { name: "Confirmed" }).click();
  await page.waitForURL("**/campaigns?sort=confirmed");
  await expect(page.getByRole("columnheader", { name: "Confirmed" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  // The line of a campaign starts on its second day; until then its cell has a dash.
  const cells = page.getByRole("row").last().getByRole("cell");
  await expect(cells).toHaveText([/^Invite friends/, "Active", "–", "2", "1", "–", "1", ""]);
});

test("a member turns the weekly email of an app on and off", async ({ page }) => {
  await page.goto(overview("/alerts"));
  const weekly = page.getByRole("region", { name: "Weekly email" });
  await weekly.getByRole("button", { name: "Turn on" }).click();
  await expect(weekly).toContainText("You get this email.");
  await page.reload();
  await weekly.getByRole("button", { name: "Turn off" }).click();
  await expect(weekly).toContainText("You do not get this email.");
});

test("the form of a channel fills a phone, scrolls once, and keeps its buttons in sight", async ({
  page,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(overview("/alerts?new"));
  const dialog = page.getByRole("dialog", { name: "Add a channel" });
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, y: 0, ...PHONE_VIEWPORT });
  const scrolling = await dialog
    .locator("fieldset, fieldset *")
    .evaluateAll((parts) =>
      parts.filter((part) => getComputedStyle(part).overflowY === "auto").map(({ tagName }) => tagName),
    );
  expect(scrolling).toEqual([]);
  const submit = dialog.getByRole("button", { name: "Add channel" });
  await expect(submit).toBeInViewport({ ratio: 1 });
  await dialog.getByRole("checkbox", { name: /^Codes and rewards/ }).uncheck();
  await expect(dialog.getByRole("checkbox", { name: /^Pool low/ })).not.toBeChecked();
  await dialog.getByRole("checkbox", { name: /^Domain record/ }).focus();
  await expect(submit).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test("no name of a provider breaks within a word on a narrow phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(overview("/providers?new"));
  const names = page.getByRole("group", { name: "Provider" }).locator("label > :last-child > .font-medium");
  await expect(names.first()).toBeVisible();
  const broken = await names.evaluateAll((all) =>
    all.flatMap(({ firstChild: text }) =>
      [...(text?.textContent ?? "").matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      }),
    ),
  );
  expect(broken).toEqual([]);
});

test("the chart shows its numbers at the pointer, and to every reader in a table", async ({ page }) => {
  await page.goto(overview("?range=7d&step=assigned"));
  const chart = page.getByRole("img", { name: "Code assigned by day" });
  const box = await chart.boundingBox();
  await expect(async () => {
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 2, (box?.y ?? 0) + 40);
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 50);
    await expect(page.locator(".pointer-events-none", { hasText: "Code assigned" })).toContainText("2", {
      timeout: 3_000,
    });
  }).toPass();
  await page.getByRole("link", { name: "Show as a table" }).click();
  await expect(page.getByRole("row").last().getByRole("cell")).toHaveText([
    /\d{4}$/,
    "1",
    "2",
    "1",
    "1",
    "1",
  ]);
});

test("full and empty, overview and first steps are sound in every form", async ({ page }) => {
  const errors = browserErrors(page);
  for (const path of [overview("?range=12m"), overview("/start"), fresh, `${fresh}/start`]) {
    await page.goto(path);
    const table = page.getByRole("link", { name: "Show as a table" });
    if (await table.count()) {
      await table.click();
      await expect(page.getByRole("link", { name: "Hide the table" })).toBeVisible();
    }
    await expectSoundInEveryForm(page);
  }
  expect(errors).toEqual([]);
});
