import { expect, type Page, test } from "playwright/test";
import { browserErrors, expectAccessible, reloadUntilVisible } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { callApi } from "./parts/api";

const own = withSample();

const pagePath = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;
const listOf = (page: Page) => page.getByRole("list", { name: "Requests" });

test.describe("the request log", () => {
  test("says in plain words why a request was refused, and finds it by its id", async ({ page, request }) => {
    const errors = browserErrors(page);
    await callApi(request, own.current.api_key, "referrer", { uid: "log-ann" });
    const refused = await callApi(request, own.current.api_key, "referrer-claim", { uid: "log-ann" });
    const id = refused.headers()["x-request-id"] ?? "";
    await page.goto(pagePath("requests"));
    await reloadUntilVisible(page, listOf(page).getByText("NO_REWARDS_AVAILABLE"));
    await page.getByRole("searchbox").fill(id);
    await page.keyboard.press("Enter");
    await page.waitForURL(/[?&]id=/);
    await expect(listOf(page).getByRole("listitem")).toHaveCount(1);
    // A request that was searched by its id is open.
    await expect(page.getByText("The referrer has no reward to claim")).toBeVisible();
    await expect(page.getByText(id)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Clear" }).click();
    await page.waitForURL(/requests$/);
    await page.getByLabel("Outcome").selectOption("answered");
    await page.waitForURL(/outcome=answered/);
    await expect(listOf(page).getByText("/referrer", { exact: false }).first()).toBeVisible();
    await expect(listOf(page).getByText("NO_REWARDS_AVAILABLE")).toHaveCount(0);
    expect(errors).toEqual([]);
  });

  test("shows new requests automatically while it is live, and keeps open rows open", async ({
    page,
    request,
  }) => {
    await page.goto(pagePath("requests"));
    await page.locator("summary").first().click();
    const opened = page.locator("details[open]");
    await expect(opened).toHaveCount(1);
    await page.getByRole("switch", { name: /Live/ }).click();
    await callApi(request, own.current.api_key, "referrer", {});
    await expect(listOf(page).getByText("VALIDATION_ERROR").first()).toBeVisible();
    await expect(opened).toHaveCount(1);
  });

  test("counts the requests of each key, and a key in use is revoked by its name only", async ({ page }) => {
    await page.goto(pagePath("keys"));
    const list = page.getByRole("list", { name: "Working API keys" });
    await expect(list.getByRole("link", { name: /\d requests? in 30 days/ })).toBeVisible();
    await page.getByRole("button", { name: "Revoke Full access" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Revoke key" })).toBeDisabled();
    await dialog.getByLabel("Type Full access to confirm").fill("Full access");
    await expect(dialog.getByRole("button", { name: "Revoke key" })).toBeEnabled();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Revoke Redeem only" }).click();
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await expect(list.getByRole("listitem")).toHaveCount(2);
    // The button is gone with its row, so the keyboard continues from the page's content.
    await expect(page.getByRole("main")).toBeFocused();
  });

  test("a replaced key is listed separately until it stops working", async ({ page }) => {
    await page.goto(pagePath("keys"));
    await page.getByRole("button", { name: "Rotate Read only" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click();
    await expect(page.getByTestId("api-key")).toBeVisible();
    const prompted = page.waitForEvent("dialog");
    const closing = page.close({ runBeforeUnload: true });
    await (await prompted).dismiss();
    await closing;
    await page.getByRole("button", { name: "I have stored the key" }).click();
    const replaced = page.getByRole("list", { name: "Replaced API keys" });
    await expect(replaced.getByText(/Stops working in/)).toBeVisible();
    expect(
      (await callApi(page.request, own.current.read_only_key, "referrer", { uid: "log-ann" })).status(),
    ).toBe(200);
  });

  test("a key whose response was lost is created once, and shown by the second try", async ({ page }) => {
    await page.goto(`${pagePath("keys")}?new`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Lost key");
    await page.route(/\/keys/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
      await page.unrouteAll();
    });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByText("The server did not respond")).toBeVisible();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByTestId("api-key")).toBeVisible();
    await page.getByRole("button", { name: "I have stored the key" }).click();
    await expect(page.getByRole("button", { name: "Revoke Lost key" })).toHaveCount(1);
  });

  test("a key is shown also when its dialog was to be closed while it was created", async ({ page }) => {
    await page.goto(`${pagePath("keys")}?new`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Slow key");
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(/\/keys/, async (route) => {
      if (route.request().method() === "POST") await sent;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    send();
    await expect(page.getByTestId("api-key")).toBeVisible();
  });
});
