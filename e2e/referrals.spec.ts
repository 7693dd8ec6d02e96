import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import { browserErrors, chooseOption, expectSoundPages } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { callApi, sendRevenueCatEvent } from "./parts/api";

const own = withSample({ threshold: 1, codes: 20 });

const pagePath = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;

async function api(request: APIRequestContext, path: string, data: object) {
  const response = await callApi(request, own.current.api_key, path, data);
  return response.json();
}

async function search(page: Page, path: string, text: string): Promise<void> {
  await page.goto(pagePath(path));
  await page.getByRole("searchbox").fill(text);
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?]q=/);
}

async function confirm(page: Page, name: string, submit = name): Promise<void> {
  await page.getByRole("button", { name, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const reason = dialog.getByLabel("Reason");
  if (await reason.isVisible()) await reason.fill("The store says it has expired");
  await dialog.getByRole("button", { name: submit }).click();
  await expect(dialog).toBeHidden();
}

test("“my code does not work”: found by the uid, replaced with two clicks, and the app gets an event", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  const { metacode } = await api(request, "referrer", { uid: "ann", metadata: { name: "Ann Berg" } });
  const redeem = { referee_uid: "eve@example.com", metacode, platform: "ios" };
  const { code } = await api(request, "referee-redeem", redeem);
  await search(page, "referrals", "eve@");
  await page.getByRole("link", { name: "eve@example.com" }).click();
  await expect(page.getByText(`••••${code.slice(-4)}`).first()).toBeVisible();
  expect(await page.content()).not.toContain(code);
  await confirm(page, "Replace code");
  await expect(page.getByText("Code replaced").first()).toBeVisible();
  const again = await api(request, "referee-redeem", redeem);
  expect(again.error.code).toBe("ALREADY_REDEEMED");
  expect(again.redemption.code).not.toBe(code);
  await expect(page.getByText(`••••${again.redemption.code.slice(-4)}`).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test("an unmatched purchase is linked, and a confirmed referral reversed and restored", async ({
  page,
  request,
}) => {
  await sendRevenueCatEvent(request, own.current.providers.revenuecat, "anonymous-of-eve");
  await search(page, "referrals", "eve@");
  await page.getByRole("link", { name: "eve@example.com" }).click();
  await page.getByRole("button", { name: "Link a confirmation" }).click();
  await expect(page.getByRole("dialog")).toContainText("anonymous-of-eve");
  await page.getByRole("dialog").getByRole("radio").first().check();
  await page.getByRole("dialog").getByLabel("Reason").fill("The user sent the receipt");
  await page.getByRole("dialog").getByRole("button", { name: "Link event" }).click();
  await expect(page.getByText("Counted towards reward 1 of the referrer")).toBeVisible();
  await page.getByText("Payload from the provider").click();
  await expect(page.getByText('"app_user_id": "anonymous-of-eve"')).toBeVisible();
  await confirm(page, "Reverse", "Reverse referral");
  await expect(page.getByText("Reversed by hand. It no longer counts.")).toBeVisible();
  await confirm(page, "Undo reversal");
  await expect(page.getByRole("button", { name: "Reverse", exact: true })).toBeVisible();
});

test("a referrer gets another metacode, is paused and resumed, and ended only by typing", async ({
  page,
  request,
}) => {
  await search(page, "referrers", "ann b");
  await page.getByRole("link", { name: "Ann Berg" }).click();
  const field = page.getByLabel("Metacode", { exact: true });
  await field.fill("admin");
  await expect(page.getByText("admin is a reserved word")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change" })).toBeDisabled();
  const wish = `ann${Date.now()}`;
  await field.fill(wish);
  await expect(page.getByText(`${wish} is available`)).toBeVisible();
  await page.getByRole("button", { name: "Change" }).click();
  await expect(page.getByText(`/r/${wish}`)).toBeVisible();
  await confirm(page, "Pause", "Pause referrer");
  const refused = await api(request, "referee-redeem", {
    referee_uid: "bob",
    metacode: wish,
    platform: "ios",
  });
  expect(refused.error.code).toBe("METACODE_NOT_FOUND");
  await confirm(page, "Resume", "Resume referrer");
  await page.getByRole("button", { name: "End", exact: true }).click();
  const end = page.getByRole("dialog").getByRole("button", { name: "End referrer" });
  await expect(end).toBeDisabled();
  await page.getByRole("dialog").getByRole("textbox").fill(wish);
  await end.click();
  await expect(page.getByText("Ended", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume" })).toHaveCount(0);
});

test("filters are in the address, and the exported file contains the filtered rows", async ({
  page,
  request,
}) => {
  const { metacode } = await api(request, "referrer", { uid: "=1+1", metadata: { name: "=cmd()" } });
  await api(request, "referee-redeem", { referee_uid: "cid", metacode, platform: "android" });
  // A second referral, which the tests above have already created unless this test runs alone.
  await api(request, "referee-redeem", { referee_uid: "eve@example.com", metacode, platform: "ios" });
  await page.goto(pagePath("referrals"));
  await chooseOption(page.getByLabel("Platform"), "android", () =>
    page.waitForURL(/platform=android/, { timeout: 5_000 }),
  );
  await expect(page.getByRole("row")).toHaveCount(2);
  const file = await page.request.get(
    (await page.getByRole("link", { name: "Export CSV" }).getAttribute("href")) ?? "",
  );
  expect(file.headers()["content-disposition"]).toContain("referrals.csv");
  const lines = (await file.text()).trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("cid");
  expect(lines[1]).toContain("'=cmd()");
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);

  const all = page.getByLabel("Select all on this page");
  await all.check();
  await expect(page.getByText("2 referrals selected")).toBeVisible();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ }).first()).toBeFocused();
  await all.check();
  await chooseOption(page.getByLabel("Platform"), "android", () =>
    page.waitForURL(/platform=android/, { timeout: 5_000 }),
  );
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByText("1 referral selected")).toBeVisible();
  await page.getByLabel("Platform").selectOption("");
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByText("1 referral selected")).toBeVisible();
  await expect(all).not.toBeChecked();
});

test("Back takes back one filter after the other, and typed text is one step", async ({ page }) => {
  const search = () => Object.fromEntries(new URL(page.url()).searchParams);
  const listed = (filters: Record<string, string>, wait = {}) => expect.poll(search, wait).toEqual(filters);
  const platform = page.getByLabel("Platform");
  const text = page.getByLabel("Search referrals");
  await page.goto(pagePath("referrals"));
  const steps = () => page.evaluate(() => window.history.length);
  const before = await steps();
  await chooseOption(platform, "android", () => listed({ platform: "android" }, { timeout: 5_000 }));
  await page.getByLabel("Status").selectOption("redeemed");
  await listed({ platform: "android", status: "redeemed" });
  await text.pressSequentially("eve@example");
  await listed({ platform: "android", status: "redeemed" });
  await text.press("Enter");
  await listed({ q: "eve@example", platform: "android", status: "redeemed" });
  await expect(text).toBeFocused();
  await text.press("Enter");
  await platform.focus();
  expect(await steps()).toBe(before + 3);

  await page.goBack();
  await listed({ platform: "android", status: "redeemed" });
  await expect(text).toHaveValue("");
  await page.goBack();
  await listed({ platform: "android" });
  await expect(page.getByLabel("Status")).toHaveValue("");
  await expect(platform).toHaveValue("android");
  await page.goBack();
  await listed({});
  await expect(platform).toHaveValue("");
  await page.goForward();
  await listed({ platform: "android" });
  await expect(platform).toHaveValue("android");
});

test("every page is sound in every form", async ({ page }) => {
  await page.goto(pagePath("referrals"));
  const referral = await page.getByRole("link", { name: "eve@example.com" }).getAttribute("href");
  await page.goto(pagePath("referrers"));
  const referrer = await page.getByRole("link", { name: "Ann Berg" }).getAttribute("href");
  const found = [referral ?? "", referrer ?? ""];
  await expectSoundPages(page, [pagePath("referrals"), pagePath("referrals?q=zzzz&period=custom"), ...found]);
});

test("a redemption beyond the limit of its referrer is held, then approved or dismissed in a list", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  await page.goto(pagePath("settings/rules"));
  await page.getByLabel("Maximum codes per referrer in 24 hours").fill("1");
  await page.getByLabel("Hold redemptions beyond a limit for review").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  const { metacode } = await api(request, "referrer", { uid: "hub", metadata: { name: "Hub" } });
  const redeem = (uid: string) =>
    api(request, "referee-redeem", { referee_uid: uid, metacode, platform: "ios" });
  expect((await redeem("first-friend")).code).toBeTruthy();
  for (const uid of ["honest-friend", "made-up"]) {
    expect((await redeem(uid)).error.code).toBe("NO_CODES_AVAILABLE");
  }
  await page.goto(pagePath(""));
  await page.getByRole("link", { name: "Review redemptions" }).first().click();
  const list = page.getByRole("table", { name: "Redemptions beyond a limit" });
  await expect(list.getByRole("row")).toHaveCount(3);
  const decide = async (uid: string, name: string) => {
    await page.getByRole("checkbox", { name: `Select ${uid}` }).check();
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    await page.getByRole("dialog").getByRole("button", { name }).click();
  };
  await decide("honest-friend", "Approve");
  await expect(page.getByText("1 redemption approved")).toBeVisible();
  await decide("made-up", "Dismiss");
  await expect(page.getByText("Nothing to review")).toBeVisible();
  expect((await redeem("honest-friend")).code).toBeTruthy();
  expect((await redeem("made-up")).error.code).toBe("CONFLICT");
  await page.getByLabel("Status").selectOption("Dismissed");
  await page.getByRole("link", { name: "made-up" }).click();
  await expect(page.getByText(/beyond a limit and is dismissed after a review/)).toBeVisible();
  expect(errors).toEqual([]);
  await expectSoundPages(page, [pagePath("referrals/review"), pagePath("referrals/review?state=dismissed")]);
});
