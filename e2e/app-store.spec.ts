import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "playwright/test";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";
import { sample } from "./sample";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

test("a key is read from its file, and an invalid file is refused beside its field", async ({ page }) => {
  await page.goto(`/dashboard/apps/${sample().app_id}/codes`);
  await page.getByRole("link", { name: "App Store Connect" }).click();
  await page.getByRole("button", { name: /^(Add key|Replace)$/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Issuer ID").fill("57246542-96fe-1a63-e053-0824d011072a");
  await dialog.getByLabel("Key ID").fill("2X9R4HXF34");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const buffer = Buffer.from(String(privateKey.export({ type: "pkcs8", format: "pem" })));
  const file = { name: "AuthKey_2X9R4HXF34.p8", mimeType: "application/octet-stream", buffer };
  await dialog.getByLabel("Private key file").setInputFiles(file);
  await expect(dialog.getByLabel("Or paste its content")).toHaveValue(/BEGIN PRIVATE KEY/);
  await dialog.getByRole("button", { name: "Save key" }).click();
  await expect(dialog.getByText("not an App Store Connect key")).toBeVisible();
});

test("the Google Play page leads to the import", async ({ page }) => {
  await page.goto(`/dashboard/apps/${sample().app_id}/codes/google-play`);
  await page.getByRole("link", { name: "Import codes" }).click();
  await expect(page).toHaveURL(/codes\/import/);
});
