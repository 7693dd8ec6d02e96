import { readFileSync } from "node:fs";
import { expect, type Page, test } from "playwright/test";
import { browserErrors, DESKTOP_VIEWPORT, expectAccessible, PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { checkFile, codesPath, countOf, fileLike, largeFile, poolOf } from "./parts/code-files";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";

// One after the other, because a user may send only two files at once. Other test files use other users.
test.describe.configure({ mode: "default" });

const importPath = (pool: string) => `${codesPath()}/import?pool=${pool}`;

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

for (const [layout, use] of [
  ["app-store-one-time.csv", "referee_ios"],
  ["app-store-header.csv", "referee_ios"],
  ["app-store-promo.txt", "referee_ios"],
  ["play-header.csv", "referee_android"],
  ["play-links.csv", "referee_android"],
] as const) {
  test(`a file like ${layout} is tried out and imported; the same file again adds nothing`, async ({
    page,
  }) => {
    const errors = browserErrors(page);
    const file = fileLike(layout);
    await checkFile(page, poolOf(use), file);
    await expect(countOf(page, "New codes")).toHaveText("6");
    const [first = "", last = ""] = [file.codes[0], file.codes.at(-1)];
    await expect(page.getByText(`${first.slice(0, 3)}••••${first.slice(-3)}`).first()).toBeVisible();
    await expect(page.getByText(`${last.slice(0, 3)}••••${last.slice(-3)}`).first()).toBeVisible();
    await page.getByRole("button", { name: "Import 6 codes" }).click();
    await expect(page.getByText("6 codes imported")).toBeVisible();
    await page.getByRole("link", { name: "View batch" }).click();
    await expect(page.getByRole("heading", { name: layout })).toBeVisible();
    await expect(page.getByRole("table", { name: "Codes of this batch" }).getByRole("row")).toHaveCount(7);
    const html = await page.content();
    expect(file.codes.length).toBeGreaterThan(5);
    expect(file.codes.filter((code) => html.includes(code))).toEqual([]);

    await checkFile(page, poolOf(use), file);
    await expect(countOf(page, "New codes")).toHaveText("0");
    await expect(page.getByRole("button", { name: /^Import \d/ })).toHaveCount(0);
    expect(errors).toEqual([]);
  });
}

test("a file with invalid rows lists the reason of each, and all of them can be downloaded", async ({
  page,
}) => {
  const file = fileLike("app-store-bad-rows.csv");
  await checkFile(page, poolOf("referee_ios"), file);
  await expect(countOf(page, "New codes")).toHaveText("3");
  for (const reason of ["Repeated in the file", "Other store", "Code and link differ", "Not a code"]) {
    await expect(page.getByText(reason, { exact: true })).toBeVisible();
  }
  await page.getByText("Not a code", { exact: true }).click();
  await expect(page.getByText("two words")).toBeVisible();
  expect(file.codes.filter((code) => code.length === 18)).not.toEqual([]);
  const html = await page.content();
  expect(file.codes.filter((code) => html.includes(code))).toEqual([]);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /refused rows as CSV$/ }).click();
  const csv = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(csv).toContain("Repeated in the file,line 1");
  expect(csv).toContain("'=1+1");
});

test("a file dropped anywhere is checked, its store is read from its codes, and the pool follows", async ({
  page,
}) => {
  await page.goto(importPath(poolOf("referee_ios")));
  await expect(page.locator("input[type=file]")).toBeEnabled();
  const anywhere = page.getByRole("heading", { level: 1 });
  const drop = async (...names: string[]) => {
    const files = names.map((layout) => [fileLike(layout).buffer.toString(), layout]);
    const dataTransfer = await page.evaluateHandle((parts) => {
      const data = new DataTransfer();
      for (const [text = "", as = ""] of parts) data.items.add(new File([text], as, { type: "text/csv" }));
      return data;
    }, files);
    await anywhere.dispatchEvent("dragover", { dataTransfer });
    await expect(page.getByText("Drop the file to check it")).toBeVisible();
    await expectAccessible(page);
    await anywhere.dispatchEvent("drop", { dataTransfer });
  };
  await page.getByRole("button", { name: "Paste codes instead" }).click();
  await drop("app-store-bad-rows.csv", "play-header.csv");
  await expect(page.getByText("Only app-store-bad-rows.csv was taken")).toBeVisible();
  await expect(countOf(page, "New codes")).toHaveText("3");
  await drop("play-header.csv");
  await expect(countOf(page, "New codes")).toHaveText("6");
  await expect(page.getByLabel("Pool", { exact: true })).toHaveValue(poolOf("referee_android"));
  await expectAccessible(page);
  await page.getByLabel("Pool", { exact: true }).selectOption(poolOf("referee_ios"));
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("heading", { name: /^File checked: 6 new codes/ })).toBeFocused();
  const submit = page.getByRole("button", { name: "Import 6 codes" });
  await expect(page.getByText("These look like Google Play codes")).toBeVisible();
  await expect(submit).toBeDisabled();
  await expectAccessible(page);
  await page.getByLabel("This is right, import these codes").check();
  await expect(submit).toBeEnabled();

  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const leave = page.getByRole("link", { name: "Codes", exact: true }).first();
  await leave.click();
  await expect(question.getByText("The file you chose is not imported yet")).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(submit).toBeEnabled();
  await leave.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(anywhere).toHaveText("Codes");
});

test("a report and an archive are refused by their names", async ({ page }) => {
  const report = Buffer.from("Date,Units,Proceeds\n2026-11-01,12,34.50\n2026-11-02,7,20.00\n");
  await checkFile(page, poolOf("referee_ios"), { name: "sales.csv", mimeType: "text/csv", buffer: report });
  await expect(page.getByText("sales.csv was not imported")).toBeVisible();
  await expect(page.getByText("a report with 3 columns (Date, Units, Proceeds)")).toBeVisible();
  const archive = Buffer.from("PK\x03\x04 codes.csv", "latin1");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "codes.zip", mimeType: "application/zip", buffer: archive });
  await expect(page.getByText("This is a ZIP archive")).toBeVisible();
  await expectAccessible(page);
});

test("a check whose connection breaks is repeated with the same file", async ({ page }) => {
  await page.route("**/codes/import/check?*", (route) => route.abort("connectionreset"), { times: 1 });
  await checkFile(page, poolOf("referee_ios"), fileLike("app-store-promo.txt"));
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(countOf(page, "New codes")).toHaveText("6");
});

/** Limits uploads to some bytes a second, so that an import is still running when it is cancelled; -1 ends the limit. */
async function limitUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send("Network.emulateNetworkConditions", conditions);
}

test("a cancelled import leaves nothing, and its codes can be imported again", async ({ page }) => {
  const file = largeFile(80_000);
  await checkFile(page, poolOf("referee_ios"), file);
  await expect(page.getByRole("button", { name: "Import 80,000 codes" })).toBeVisible({ timeout: 60_000 });
  await limitUploads(page, 20_000);
  await page.getByRole("button", { name: "Import 80,000 codes" }).click();
  await expect(page.getByRole("progressbar", { name: "Importing codes" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("nothing was stored")).toBeVisible();
  await limitUploads(page, -1);
  await checkFile(page, poolOf("referee_ios"), file);
  await expect(countOf(page, "New codes")).toHaveText("80,000", { timeout: 60_000 });
  await limitUploads(page, 20_000);
  await page.getByRole("button", { name: "Import 80,000 codes" }).click();
  await expect(page.getByRole("progressbar", { name: "Importing codes" })).toBeVisible();
  await page.getByRole("link", { name: "Codes", exact: true }).first().click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question.getByText("Leaving cancels the import")).toBeVisible();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("Import stopped.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${codesPath()}$`));
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Codes" })).toBeVisible();
    await expect(page.getByText(file.name)).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test("an import whose page is closed is reported afterwards and stores nothing", async ({ page }) => {
  page.on("dialog", (dialog) => void dialog.accept());
  const file = largeFile(200_000);
  await checkFile(page, poolOf("referee_ios"), file);
  await expect(page.getByRole("button", { name: "Import 200,000 codes" })).toBeVisible({ timeout: 60_000 });
  await limitUploads(page, 20_000);
  await page.getByRole("button", { name: "Import 200,000 codes" }).click();
  await expect(page.getByRole("progressbar", { name: "Importing codes" })).toBeVisible();
  await page.reload();
  // The page refreshes itself until the service has removed the import.
  await expect(page.getByText("was cancelled or interrupted, and nothing was stored")).toBeVisible();
});

test("codes are pasted and imported with the keyboard alone", async ({ page }) => {
  const codes = fileLike("app-store-promo.txt").codes;
  await page.goto(importPath(poolOf("referee_ios")));
  const press = async (name: string | RegExp) => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await expect(page.locator("input[type=file]")).toBeEnabled();
  await press("Paste codes instead");
  await press("Check codes");
  await expect(page.getByText("Paste the codes first")).toBeVisible();
  await page.getByLabel("Codes", { exact: true }).focus();
  await page.keyboard.insertText(codes.join("\n"));
  await press("Check codes");
  await press("Import 6 codes");
  await expect(page.getByText("6 codes imported")).toBeVisible();
});

test("an upload from a foreign page or without a session is refused", async ({ page, browser, baseURL }) => {
  const url = `${codesPath()}/import/check?poolId=${poolOf("referee_ios")}`;
  const origin = { Origin: "https://evil.example" };
  expect((await page.request.post(url, { data: "CODE1234", headers: origin })).status()).toBe(403);
  const stranger = await browser.newContext({ baseURL: baseURL ?? "" });
  const ours = { Origin: new URL(baseURL ?? "").origin };
  expect((await stranger.request.post(url, { data: "CODE1234", headers: ours })).status()).toBe(401);
  await stranger.close();
});

test("a file of 60 MB passes as an upload, but not as a form of another page", async ({ page, baseURL }) => {
  // Makes the rows as long as a store's.
  const rows = Buffer.from(`${largeFile(50_000).buffer}`.replaceAll("\n", `,${"a note ".repeat(11)}\n`));
  const data = Buffer.concat(Array(Math.ceil(60_000_000 / rows.length)).fill(rows));
  const headers = { Origin: new URL(baseURL ?? "").origin, "Content-Type": "text/plain" };
  const url = `${codesPath()}/import/check?poolId=${poolOf("referee_ios")}`;
  const answer = await page.request.post(url, { data, headers, timeout: 250_000 });
  const last = JSON.parse((await answer.text()).trim().split("\n").at(-1) ?? "");
  expect(last.result).toMatchObject({ read: (data.length / rows.length) * 50_000, fresh: 50_000 });
  const form = page.request.post(codesPath(), { data, headers });
  expect(await form.then((refused) => refused.status())).toBe(413);
});

for (const [device, viewport] of Object.entries({ desktop: DESKTOP_VIEWPORT, phone: PHONE_VIEWPORT })) {
  test(`the codes page is sound on a ${device}, including its dialogs and its report`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const errors = browserErrors(page);
    await page.goto(codesPath());
    await page.getByRole("button", { name: "Create pool" }).click();
    await expectAccessible(page);
    await page.goto(`${codesPath()}/import?kind=custom`);
    await expectAccessible(page);
    await checkFile(page, poolOf("referee_ios"), fileLike("kept-list.csv"));
    const expires = page.getByLabel("Expires on");
    await expect(expires).toHaveValue("2098-03-31");
    await page.getByLabel("This is right, import these codes").check();
    await expires.press("Backspace");
    await page.getByRole("button", { name: /^Import \d/ }).click();
    await expect(expires).toBeFocused();
    await expect(page.getByText("Enter a complete date, or clear the field")).toBeVisible();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });
}
