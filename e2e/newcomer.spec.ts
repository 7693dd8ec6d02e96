import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import { browserErrors } from "@/e2e/parts/page-checks";
import { callApi, sendRevenueCatEvent } from "./parts/api";

const PASSWORD = "a newcomer's password";

/** A file as App Store Connect exports it, with codes that no other run has. */
function appStoreFile() {
  const salt = Math.random().toString(36).slice(2, 8).toUpperCase();
  const text = readFileSync("lib/program/codes/fixtures/app-store-one-time.csv", "utf8");
  const own = text.replace(/\b[A-Z0-9]{18}\b/g, (code) => salt + code.slice(6));
  return { name: "app-store-one-time.csv", mimeType: "text/csv", buffer: Buffer.from(own) };
}

async function signUp(page: Page): Promise<void> {
  const email = `newcomer-${Date.now()}@example.com`;
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("Name").fill("Nora New");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByText("Check your email").first()).toBeVisible();
  await page.goto("/mailbox");
  await page
    .getByRole("article")
    .filter({ hasText: `To ${email}` })
    .getByRole("link")
    .first()
    .click();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm and continue" }).click();
  await page.waitForURL("**/dashboard");
}

async function createApp(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Create app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("First steps");
  await dialog.getByLabel("Apple app ID").fill("1234567890");
  await dialog.getByRole("checkbox", { name: /Sandbox/ }).check();
  await dialog.getByRole("button", { name: "Create app" }).click();
  await page.waitForURL(/\/dashboard\/apps\/[0-9a-f-]{36}/);
  return /\/dashboard\/apps\/[0-9a-f-]{36}/.exec(page.url())?.[0] ?? "";
}

async function createCampaign(page: Page, app: string): Promise<void> {
  await page.goto(`${app}/campaigns`);
  await page.getByRole("link", { name: "Create campaign" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Invite a friend");
  const ios = page.getByRole("group", { name: "iOS", exact: true });
  await ios.getByLabel("Threshold").fill("1");
  await ios.getByLabel("Codes for referees").selectOption({ label: "Create new pool" });
  await ios.getByLabel("Codes for rewards").selectOption({ label: "Create new pool" });
  await page.getByLabel("Runs on Android").uncheck();
  await page.getByRole("button", { name: "Create and activate" }).click();
  await expect(page.getByRole("heading", { name: "Invite a friend" })).toContainText("Active");
}

async function importCodes(page: Page, app: string, pool: RegExp): Promise<void> {
  await page.goto(`${app}/codes/import`);
  const choices = page.getByLabel("Pool", { exact: true });
  const label = await choices.locator("option").filter({ hasText: pool }).first().textContent();
  await choices.selectOption({ label: label ?? "" });
  await page.locator("input[type=file]").setInputFiles(appStoreFile());
  await page.getByRole("button", { name: /^Import \d+ codes/ }).click();
  await expect(page.getByText(/\d+ codes imported/)).toBeVisible();
}

async function makeKey(page: Page, app: string): Promise<string> {
  await page.goto(`${app}/keys`);
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("First key");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByTestId("api-key").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored the key" }).click();
  return key;
}

async function connect(page: Page, app: string): Promise<{ url: string; authorization: string }> {
  await page.goto(`${app}/providers`);
  await page.getByRole("button", { name: "Connect a provider" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption("RevenueCat");
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  const authorization = (await page.getByTestId("secret").textContent()) ?? "";
  const url = (await page.locator("dd code").first().textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored the secret" }).click();
  return { url, authorization };
}

async function call(request: APIRequestContext, key: string, path: string, data: object) {
  const response = await callApi(request, key, path, data);
  expect([path, response.status()]).toEqual([path, 200]);
  return response.json();
}

test("a newcomer gets from signing up to a claimed reward, and sees the funnel move", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  await signUp(page);
  const app = await createApp(page);
  await createCampaign(page, app);
  await importCodes(page, app, /referee/);
  await importCodes(page, app, /reward/);
  const key = await makeKey(page, app);
  const provider = await connect(page, app);
  await page.goto(app);
  const numbers = page.getByRole("list", { name: "Funnel" }).locator(".text-2xl");
  await expect(numbers).toHaveText(["0", "0", "0", "0", "0"]);

  const { metacode, referral_link } = await call(request, key, "referrer", { uid: "anna" });
  await request.post(`${new URL(referral_link).pathname}/click`, {
    headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari" },
  });
  const redeemed = await call(request, key, "referee-redeem", {
    referee_uid: "bob",
    metacode,
    platform: "ios",
  });
  expect(redeemed.store_url).toContain("https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=");
  const reported = await sendRevenueCatEvent(request, provider, "bob");
  expect((await reported.json()).status).toBe("confirmed");
  expect((await call(request, key, "referrer-claim", { uid: "anna" })).message).toContain("1 reward");

  await expect(async () => {
    await page.reload();
    await expect(numbers).toHaveText(["1", "1", "1", "1", "1"], { timeout: 1_000 });
  }).toPass();
  await page.goto(`${app}/start`);
  await expect(page.getByText("Everything is set up")).toBeVisible();
  expect(errors).toEqual([]);
});
