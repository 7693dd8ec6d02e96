import { expect, test } from "playwright/test";
import { expectAccessible } from "@/e2e/parts/page-checks";
import { checkFile, fileLike, poolOf } from "./parts/code-files";
import { cookiesOf } from "./parts/sign-in";

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
test.beforeAll(async ({ browser, baseURL }) => {
  cookies = await cookiesOf(browser, baseURL);
});
test.beforeEach(({ context }) => context.addCookies(cookies));

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
  await choice.getByLabel("5 December 2090").check();
  await expect(expiry).toHaveValue("2090-12-05");
  await expect(choice.getByLabel("5 December 2090")).toBeChecked();
  await page.getByRole("button", { name: "Import 3 codes" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  await expect(page.getByText(/5 Dec(ember)? 2090/).first()).toBeVisible();
});
