import { utimesSync, writeFileSync } from "node:fs";
import { expect, type Page, test } from "playwright/test";
import { expectAccessible } from "@/e2e/parts/page-checks";
import { checkFile, codesPath, fileLike, poolOf } from "./parts/code-files";
import type { SessionCookie } from "./parts/sign-in";
import { memberCookies } from "./parts/tickets";
import { sample } from "./sample";

// One after the other and as a separate user, because a user may send only two files at once.
test.describe.configure({ mode: "default" });

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await memberCookies("owner", sample().workspace_id, "Mia Member");
});
test.beforeEach(({ context }) => context.addCookies(cookies));

const importButton = (page: Page, codes = 6) => page.getByRole("button", { name: `Import ${codes} codes` });

test("the order of day and month is chosen where the file does not tell it, and the batch gets the date shown", async ({
  page,
}) => {
  const [first = "", second = "", third = ""] = fileLike("app-store-promo.txt").codes;
  const file = (...dates: string[]) => {
    const text = [first, second, third].map((code, index) => `${code},${dates[index] ?? ""}\n`).join("");
    return { name: "dated.csv", mimeType: "text/csv", buffer: Buffer.from(`Code,Expires\n${text}`) };
  };
  const choice = page.getByRole("group", { name: "“05/12/2090” in the file means" });
  const expiry = page.getByLabel("Expires on");
  await checkFile(page, poolOf("referee_ios"), file("05/12/2090", "31/12/2090"));
  await expect(expiry).toHaveValue("2090-12-05");
  await expect(choice).toHaveCount(0);
  await checkFile(page, poolOf("referee_ios"), file("05/12/2090", "06/12/2090"));
  await expect(choice.getByLabel("12 May 2090")).toBeChecked();
  await expect(expiry).toHaveValue("2090-05-12");
  await expect(expiry).toHaveAccessibleDescription(/^12 May 2090, the date shown in the store/);
  await expectAccessible(page);
  await expiry.fill("2020-01-01");
  await choice.getByLabel("5 December 2090").check();
  await expect(importButton(page, 3)).toBeVisible();
  await expect(expiry).toHaveValue("2020-01-01");
  const agreed = page.getByLabel("This is right, import these codes");
  await agreed.check();
  await importButton(page, 3).click();
  await expect(expiry).toHaveAccessibleDescription(/must be in the future/);
  await expiry.fill("2090-05-12");
  await choice.getByLabel("12 May 2090").check();
  await expect(choice.getByLabel("12 May 2090")).toBeChecked();
  await choice.getByLabel("5 December 2090").check();
  await expect(expiry).toHaveValue("2090-12-05");
  await expect(choice.getByLabel("5 December 2090")).toBeChecked();
  await agreed.check();
  await importButton(page, 3).click();
  await page.getByRole("link", { name: "View batch" }).click();
  await expect(page.getByText(/5 Dec(ember)? 2090/).first()).toBeVisible();
});

test("a file chosen without a pool goes to one of its store, and the report of the import has the focus", async ({
  page,
}) => {
  await page.goto(`${codesPath()}/import`);
  await expect(page.locator("input[type=file]")).toBeEnabled();
  await page.locator("input[type=file]").setInputFiles(fileLike("app-store-promo.txt"));
  await expect(page.getByLabel("Pool", { exact: true })).toHaveValue(poolOf("referee_ios"));
  await page.getByRole("button", { name: "Change file" }).click();
  await page.locator("input[type=file]").setInputFiles(fileLike("play-one-time.csv"));
  await expect(page.getByLabel("Pool", { exact: true })).toHaveValue(poolOf("referee_android"));
  // No notice that the pool was replaced, because the user has not chosen one.
  await expect(page.getByText(/These look like/)).toHaveCount(0);
  await page.getByRole("button", { name: "Change file" }).click();
  await page.locator("input[type=file]").setInputFiles(fileLike("app-store-promo.txt"));
  await importButton(page).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "6 codes imported" })).toBeFocused();
});

const store = "**/codes/import/store?*";

test("an import whose answer was lost is reported as complete, and not offered again", async ({ page }) => {
  await checkFile(page, poolOf("referee_ios"), fileLike("app-store-promo.txt"));
  await page.route(
    store,
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await page.route("**/api/ready", (route) => route.abort(), { times: 1 });
  await importButton(page).click();
  await expect(page.getByText("Your last import is complete: 6 codes.")).toBeVisible();
  await expect(page.getByText("Drop a file anywhere on this page")).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
});

test("the same file imported from a second page says that the app has its codes", async ({
  page,
  context,
}) => {
  const file = fileLike("app-store-promo.txt");
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await checkFile(tab, poolOf("referee_ios"), file);
    await expect(importButton(tab)).toBeEnabled();
  }
  await importButton(other).click();
  await expect(other.getByText("6 codes imported")).toBeVisible();
  await importButton(page).click();
  await expect(page.getByText("No codes imported")).toBeVisible();
  await expect(page.getByText("The app has all codes of this file from an earlier import.")).toBeVisible();
  await expectAccessible(page);
});

test("a file that changed on the disk after it was chosen is chosen again", async ({ page }) => {
  const path = test.info().outputPath("changing.csv");
  writeFileSync(path, fileLike("app-store-promo.txt").buffer);
  await page.goto(`${codesPath()}/import?pool=${poolOf("referee_ios")}`);
  await expect(page.locator("input[type=file]")).toBeEnabled();
  await page.locator("input[type=file]").setInputFiles(path);
  await expect(importButton(page)).toBeEnabled();
  writeFileSync(path, "another text of another length");
  // Chromium compares file times in whole seconds.
  utimesSync(path, 0, 0);
  await importButton(page).click();
  await expect(page.getByText("The file has changed or moved since you chose it")).toBeVisible();
});

test("an import after the end of the session keeps the file and leads to the sign-in page", async ({
  page,
  context,
}) => {
  await checkFile(page, poolOf("referee_ios"), fileLike("app-store-promo.txt"));
  await expect(importButton(page)).toBeEnabled();
  await context.clearCookies();
  await importButton(page).click();
  await expect(page.getByRole("link", { name: "Sign in in a new tab" })).toBeVisible();
  await context.addCookies(cookies);
  await importButton(page).click();
  await expect(page.getByText("6 codes imported")).toBeVisible();
});
