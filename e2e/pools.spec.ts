import { readFileSync } from "node:fs";
import { expect, test } from "playwright/test";
import { checkFile, codesPath, countOf, fileLike, poolOf } from "./parts/code-files";
import { cookiesOf } from "./parts/sign-in";

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
test.beforeAll(async ({ browser, baseURL }) => {
  cookies = await cookiesOf(browser, baseURL);
});
test.beforeEach(({ context }) => context.addCookies(cookies));

test("a pool is created, a custom code added, its batch quarantined, restored and undone", async ({
  page,
}) => {
  const name = `Summer ${Date.now()}`;
  const code = `SUMMER${Date.now()}`;
  await page.goto(codesPath());
  await page.getByRole("button", { name: "Create pool" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Recipients").fill("no address");
  await dialog.getByRole("button", { name: "Create pool" }).click();
  await expect(dialog.getByText("must be email addresses")).toBeVisible();
  await dialog.getByLabel("Recipients").fill("stock@example.com");
  await dialog.getByRole("button", { name: "Create pool" }).click();
  await page.getByRole("region", { name }).getByRole("link", { name: "Import codes" }).click();
  await page.getByRole("link", { name: "Custom code" }).click();
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Redemption limit").fill("12");
  await page.getByRole("button", { name: "Add code" }).click();
  await expect(page.getByText("Custom code", { exact: true })).toBeVisible();
  await expect(countOf(page, "Free")).toHaveText("12");
  expect(await page.content()).not.toContain(code);
  const act = async (button: string, submit: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await dialog.getByRole("button", { name: submit }).click();
    await expect(dialog).toHaveCount(0);
  };
  await act("Quarantine", "Quarantine batch");
  await expect(page.getByText("Quarantined", { exact: true }).first()).toBeVisible();
  await act("Restore", "Restore batch");
  await page.getByRole("button", { name: "Undo import" }).click();
  await expect(dialog.getByRole("button", { name: "Undo import" })).toBeDisabled();
  await dialog.getByLabel(/^Type undo/).fill("undo");
  await dialog.getByRole("button", { name: "Undo import" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();

  await page.goto(codesPath());
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete pool" }).click();
  await expect(page.getByRole("region", { name })).toHaveCount(0);
});

test("an export contains the full codes and is recorded in the audit log", async ({ page }) => {
  const file = fileLike("app-store-api-values.csv");
  await checkFile(page, poolOf("referee_ios"), file);
  await page.getByRole("button", { name: "Import 6 codes" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const csv = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(file.codes.filter((code) => !csv.includes(code))).toEqual([]);
});
