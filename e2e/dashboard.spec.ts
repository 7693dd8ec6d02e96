import { eq } from "drizzle-orm";
import { expect, type Page, test } from "playwright/test";
import {
  browserErrors,
  DESKTOP_VIEWPORT,
  expectAccessible,
  expectSoundInEveryForm,
  horizontalOverflow,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { apps, batches, campaigns, pools, workspaces } from "@/lib/platform/db/schema";
import { callApi } from "./parts/api";
import { inDatabase } from "./parts/database";
import { PICTURE } from "./parts/picture";
import { makeSample } from "./parts/samples";
import { cookiesOf, type SessionCookie, signInAs } from "./parts/sign-in";
import { sample } from "./sample";

const keysOf = (appId: string) => `/dashboard/apps/${appId}/keys`;

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});

test.describe("a stranger", () => {
  test("has to sign in, learns nothing, and returns to the requested page", async ({ page }) => {
    const path = keysOf(sample().app_id);
    const answer = await page.request.get(path);
    expect(await answer.text()).not.toContain("Sample app");
    expect(new URL(answer.url()).pathname).toBe("/sign-in");
    const errors = browserErrors(page);
    await page.goto(path);
    await page.getByLabel("Email").fill(sample().owner.email);
    await page.getByLabel("Password").fill("wrong password");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The email address or the password is wrong")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(sample().owner.email);
    await expectAccessible(page);
    await signInAs(page, path);
    expect(errors).toEqual([]);
  });

  test("is not redirected to another site by the address of the sign-in page", async ({ page }) => {
    await page.goto("/sign-in?next=//evil.example");
    await expect(page.locator("input[name=next]")).toHaveValue("/dashboard");
    const forged = await page.request.post("/sign-in", {
      headers: { Origin: "https://evil.example" },
      form: { email: "a@example.com", password: "x" },
    });
    expect(forged.status()).toBe(403);
  });
});

test.describe("the owner", () => {
  test.beforeEach(({ context }) => context.addCookies(cookies));

  test("creates a key that is shown once, rotates and revokes it", async ({ page }) => {
    const errors = browserErrors(page);
    const path = keysOf(sample().app_id);
    await page.goto(path);
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Walk");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const first = (await page.getByTestId("api-key").textContent()) ?? "";
    expect(first).toMatch(/^mc_(test|live)_[0-9A-Za-z]{38}$/);
    await expect(page.getByTestId("first-request")).toContainText(
      `/api/referrer --header "x-api-key: ${first}"`,
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have stored the key" }).click();
    await expect(page.getByText(first)).toHaveCount(0);
    expect(await page.content()).not.toContain(first);
    expect(await (await page.request.get(path)).text()).not.toContain(first);
    expect(page.url()).not.toContain("mc_");
    expect(await works(page, first)).toBe(true);

    await page.getByRole("button", { name: "Rotate Walk" }).click();
    await page.getByLabel("The old key").selectOption("now");
    await dialog.getByRole("button", { name: "Rotate key" }).click();
    const second = (await page.getByTestId("api-key").textContent()) ?? "";
    expect(second).not.toBe(first);
    await page.getByRole("button", { name: "I have stored the key" }).click();
    expect([await works(page, first), await works(page, second)]).toEqual([false, true]);
    await expect(page.getByRole("list", { name: "Working API keys" })).toContainText(second.slice(-4));

    await page.getByRole("button", { name: "Revoke Walk" }).click();
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByRole("button", { name: "Revoke Walk" })).toHaveCount(0);
    expect(await works(page, second)).toBe(false);
    expect(errors).toEqual([]);
  });

  test("sees no app of another workspace, nor a page that does not exist", async ({ page }) => {
    const foreign = "/dashboard/apps/018f0000-0000-7000-8000-000000000000";
    for (const path of [foreign, `${foreign}/keys`, "/dashboard/apps/no-id", "/dashboard/nothing"]) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
      await expect(page).toHaveTitle("Not found · Metacode");
    }
  });

  test("creates an app, and an invalid field says which values it accepts", async ({ page }) => {
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "Create app" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Second app");
    await dialog.getByLabel("Store link").fill("abc");
    await dialog.getByRole("button", { name: "Create app" }).click();
    await expect(dialog.getByText("This must be the app's address in the App Store")).toBeVisible();
    await expect(dialog.getByLabel("Store link")).toBeFocused();
    await dialog.getByLabel("Name").fill("");
    const link = "https://apps.apple.com/de/app/second-app/id1234567890?l=en";
    await dialog.getByLabel("Store link").fill(`${link} https://apps.apple.com/de/app/other/id1234567891`);
    await expect(dialog.getByText("This has the addresses of several apps in one store")).toBeVisible();
    await expect(dialog.getByLabel("Name")).toHaveValue("");
    await dialog
      .getByLabel("Store link")
      .fill(`${link} https://play.google.com/store/apps/details?id=com.example.both`);
    await expect(dialog.getByText("1234567890", { exact: true })).toBeVisible();
    await expect(dialog.getByLabel("Name")).toHaveValue("Second App");
    await dialog.getByRole("button", { name: "Remove the Google Play link" }).click();
    await dialog
      .getByLabel(/^Google Play link/)
      .fill("play.google.com/store/apps/details?id=com.example.second");
    await expect(dialog.getByText("com.example.second")).toBeVisible();
    // While an address is typed by hand, an incomplete ID is not taken.
    await dialog.getByRole("button", { name: "Remove the App Store link" }).click();
    const typed = "https://apps.apple.com/de/app/second-app/id1234567890";
    await dialog.getByLabel(/^App Store link/).pressSequentially(typed);
    await expect(dialog.getByLabel(/^App Store link/)).toHaveValue(typed);
    await dialog
      .getByLabel("Icon")
      .setInputFiles({ name: "icon.png", mimeType: "image/png", buffer: PICTURE });
    await expect(dialog.locator("img")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create app" }).click();
    await expect(page).toHaveURL(/\/dashboard\/apps\/[0-9a-f-]{36}\/start$/);
    await expect(page.getByRole("button", { name: "Second App : switch app or workspace" })).toBeVisible();
    await page.getByRole("link", { name: "Settings", exact: true }).first().click();
    await expect(page.getByLabel("Apple app ID")).toHaveValue("1234567890");
    await page.getByRole("link", { name: "API keys" }).first().click();
    await expect(page.getByText("No active API keys")).toBeVisible();
  });

  test("signs out, and the pages are closed again, even to a copy of the cookie", async ({
    page,
    context,
  }) => {
    // A separate session, because this test ends it.
    await context.clearCookies();
    await signInAs(page);
    const copied = await context.cookies();
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    expect((await context.cookies()).some(({ name }) => name.endsWith("session"))).toBe(false);
    await context.addCookies(copied);
    await page.goto("/dashboard");
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });

  test("gets a strict policy with every page, and a sound dialog for a key of custom scopes", async ({
    page,
  }) => {
    const app = `/dashboard/apps/${sample().app_id}`;
    for (const path of ["/", "/dashboard", app, `${app}/keys`]) {
      const response = await page.goto(path);
      expect(response?.headers()["content-security-policy"]).toMatch(/script-src 'nonce-[^']+' 'strict-dyn/);
    }
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("radio", { name: "Custom" }).check();
    await expectSoundInEveryForm(page);
  });
});

test("names of one word and 60 letters make no page wider than a phone", async ({
  browser,
  baseURL,
  request,
}) => {
  const { owner, api_key, app_id, workspace_id, campaign_id, pools: own } = await makeSample();
  const name = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen";
  await inDatabase(async ({ orm }) => {
    await orm.update(workspaces).set({ name }).where(eq(workspaces.id, workspace_id));
    await orm.update(apps).set({ name }).where(eq(apps.id, app_id));
    await orm.update(campaigns).set({ name }).where(eq(campaigns.appId, app_id));
    await orm.update(batches).set({ origin: name }).where(eq(batches.appId, app_id));
    for (const [index, id] of Object.values(own).entries())
      await orm
        .update(pools)
        .set({ name: name.slice(index) })
        .where(eq(pools.id, id));
  });
  const context = await browser.newContext({ baseURL: baseURL ?? "", viewport: PHONE_VIEWPORT });
  await context.addCookies(await cookiesOf(owner));
  const page = await context.newPage();
  const app = `/dashboard/apps/${app_id}`;
  const workspace = `/dashboard/workspaces/${workspace_id}`;
  const ofApp = `
    /check /codes /codes/pools/${own.referee_ios} /codes/import /codes/app-store /campaigns /campaigns/new /alerts
    /campaigns/${campaign_id} /campaigns/${campaign_id}/edit /landing /settings /people?uid=${name}`;
  for (const path of [
    "/dashboard",
    app,
    ...ofApp
      .trim()
      .split(/\s+/)
      .map((path) => app + path),
    ...["", "/plan", "/audit", "/settings"].map((path) => workspace + path),
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    expect.soft(await horizontalOverflow(page), path).toBe(0);
  }
  await page.goto(`${app}/campaigns/${campaign_id}`);
  await page.getByRole("button", { name: "End" }).click();
  const dialog = page.getByRole("dialog", { name: `End “${name}”?` });
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);

  // In a list on a wide screen, the long names leave the checkbox of a row in sight.
  const answer = await callApi(request, api_key, "referrer", { uid: name, metadata: { name } });
  const { metacode } = (await answer.json()) as { metacode: string };
  const referee_uid = `0b16fde7-58f1-4b25-a7ff-${Date.now()}`;
  await callApi(request, api_key, "referee-redeem", { referee_uid, metacode, platform: "android" });
  await page.setViewportSize(DESKTOP_VIEWPORT);
  await page.goto(`${app}/referrals`);
  const list = page.getByRole("region", { name: "Referrals" });
  await expect(list.getByLabel(`Select ${referee_uid}`)).toBeVisible();
  expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await list.getByRole("link", { name: referee_uid }).click();
  await page.setViewportSize(PHONE_VIEWPORT);
  await expect(page.getByText("Oldest first.")).toBeVisible();
  expect(await horizontalOverflow(page)).toBe(0);
  await context.close();
});

/** Whether the API takes this key. */
async function works(page: Page, key: string): Promise<boolean> {
  const response = await page.request.post("/api/referrer", {
    headers: { "x-api-key": key },
    data: { uid: "dashboard" },
  });
  expect([200, 401]).toContain(response.status());
  return response.status() === 200;
}
