import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page, test } from "playwright/test";
import { expectAccessible, openHydrated, PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { keyField, pasteKey, REDEEM } from "@/e2e/parts/sandbox-key";

const own = withSample();

const sampleText = async (page: Page) => (await page.getByRole("tabpanel").textContent()) ?? "";

test("the overview leads to every operation, and to the machine-readable forms", async ({
  page,
  request,
}) => {
  await page.goto("/docs/api");
  await page.getByRole("article").getByRole("link", { name: "Redeem a metacode" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Redeem a metacode" })).toBeVisible();
  expect((await (await request.get("/postman.json")).json()).info.name).toBe("Metacode API");
  expect((await (await request.get("/openapi.json")).json()).openapi).toMatch(/^3\.1/);
});

test("samples keep the language of the reader from page to page, also by keyboard", async ({ page }) => {
  await openHydrated(page, REDEEM);
  const tabs = page.getByRole("tab");
  await expect(tabs).toHaveText(["curl", "TypeScript", "Swift", "Kotlin", "Dart", "C#"]);
  await tabs.first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Swift" })).toBeFocused();
  expect(await sampleText(page)).toContain("URLSession.shared.data");
  await page.goto("/docs/api/claim-rewards");
  await expect(page.getByRole("tab", { name: "Swift" })).toHaveAttribute("aria-selected", "true");
});

test("a key of a live app is refused, and nothing is sent without a key", async ({ page }) => {
  await pasteKey(page, "mc_live_0123456789abcdefghij");
  await expect(page.getByText("It begins with mc_test_")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send request" })).toBeDisabled();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    "mc_live_",
  );
});

test("the reader's key is in the samples, which run, and in every tab", async ({ page, context }) => {
  await pasteKey(page, own.current.api_key);
  await expect(page.getByRole("tabpanel")).toContainText(own.current.api_key);
  const { stdout } = await promisify(execFile)("bash", ["-c", `${await sampleText(page)} --silent`]);
  expect(JSON.parse(stdout)).toMatchObject({ platform: "ios", code: expect.any(String) });
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText(/^200 in \d+ ms$/)).toBeVisible();
  await expect(page.getByText('"store_url"').last()).toBeVisible();
  expect(page.url()).not.toContain("mc_test_");
  const other = await context.newPage();
  await other.goto(REDEEM);
  await expect(other.getByRole("tabpanel")).toContainText(own.current.api_key);
  await page.getByRole("button", { name: "Forget key" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await expect(keyField(other)).toBeVisible();
});

test("a page that fails keeps the frame, with its search and its list of pages", async ({ page }) => {
  await openHydrated(page, "/docs");
  const list = page.getByRole("navigation", { name: "Documentation" });
  const scrolled = () => list.evaluate((own) => own.scrollTop);
  await list.getByRole("link", { name: "Redeem a metacode" }).scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  // The samples of a request call this function while they are rendered.
  await page.evaluate(() => {
    const { replaceAll } = String.prototype;
    const broken = (): never => {
      throw new Error("A part of the page failed");
    };
    Object.assign(String.prototype, { replaceAll: broken });
    addEventListener("repair", () => Object.assign(String.prototype, { replaceAll }));
  });
  await list.getByRole("link", { name: "Redeem a metacode" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: "Something went wrong on our side" }),
  ).toBeVisible();
  await expect(list.locator("[aria-current=page]")).toHaveText("Redeem a metacode");
  await expect(page.getByRole("link", { name: "Search the documentation" })).toBeVisible();
  expect(await scrolled()).toBe(before);
  await expectAccessible(page);
  await page.evaluate(() => dispatchEvent(new Event("repair")));
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Redeem a metacode" })).toBeVisible();
  await list.getByRole("link", { name: "Claim rewards" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Claim rewards" })).toBeVisible();
  await expect(list.locator("[aria-current=page]")).toHaveText("Claim rewards");
  expect(await scrolled()).toBe(before);
});

test("tables of the reference need no scrolling sideways on a phone", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  for (const path of ["/docs/api", REDEEM]) {
    await page.goto(path);
    const wide = await page
      .locator("article div:has(> table)")
      .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
    expect(wide, path).toBe(0);
  }
  await expectAccessible(page);
});

test("an error is shown as the API sent it, on a phone", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await pasteKey(page, own.current.api_key);
  await page.getByLabel("Body").fill('{"referee_uid":"x"}');
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText(/^400 in/)).toBeVisible();
  await expect(page.getByText("VALIDATION_ERROR").last()).toBeVisible();
  await expectAccessible(page);
});

test("a parameter left empty is named beside its field, and nothing is sent", async ({ page }) => {
  await pasteKey(page, own.current.api_key, "/docs/api/get-webhook");
  const id = page.getByRole("textbox", { name: "id", exact: true });
  await id.fill("");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(id).toBeFocused();
  await expect(id).toHaveAccessibleDescription("This is required");
  await expectAccessible(page);
  await id.fill("00000000-0000-4000-8000-000000000000");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText(/^404 in/)).toBeVisible();
});

test("a signed-in member creates a sandbox key on the page", async ({ page }) => {
  await openHydrated(page, REDEEM);
  await page.getByRole("button", { name: "Create sandbox key" }).click();
  await expect(page.getByText("Sandbox key mc_test_…")).toBeVisible();
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText(/^200 in/)).toBeVisible();
  await expectAccessible(page);
});

test("a click with Ctrl in the folded list of pages opens a tab, and leaves the list open", async ({
  page,
  context,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await openHydrated(page, "/docs/quickstart");
  const list = page.getByRole("navigation", { name: "All pages" });
  await list.getByText("All pages").click();
  const link = list.getByRole("link", { name: "Webhooks", exact: true });
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    link.click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await tab.waitForURL("**/docs/webhooks");
  await expect(link).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/docs/quickstart");
  await link.click();
  await page.waitForURL("**/docs/webhooks");
  await expect(link).toBeHidden();
});
