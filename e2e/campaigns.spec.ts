import { expect, type Locator, type Page, test } from "playwright/test";
import { uuidv7 } from "uuidv7";
import { makeSeparateApp } from "@/e2e/parts/apps";
import { browserErrors, expectAccessible, expectSoundInEveryForm } from "@/e2e/parts/page-checks";
import { referrerProgress } from "@/lib/platform/db/schema";
import { inDatabase } from "./parts/database";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

const appContextFor = (appId: string) => `/dashboard/apps/${appId}/campaigns`;

/** Presses Tab until the field has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 120; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way by Tab to ${target}`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Replaces the field's text by typing. */
async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** The part of the form with this title, which is folded at first. */
const fold = (page: Page, title: string) =>
  page.locator("summary").filter({ hasText: new RegExp(`^${title}`) });

/** The heading of the page, with or without an open dialog. */
const titleOf = (page: Page) => page.getByRole("heading", { level: 1 });

/** A referrer with confirmed referrals on iOS and no reward yet. */
const confirmed = (appId: string, campaignId: string, count: number) =>
  inDatabase(({ orm }) =>
    orm.insert(referrerProgress).values({
      appId,
      campaignId,
      referrerId: uuidv7(),
      platform: "ios",
      confirmed: count,
    }),
  );

test("a campaign is created, activated, changed and ended by keyboard alone", async ({ page }) => {
  const errors = browserErrors(page);
  const app = await makeSeparateApp("Keyboard");
  await page.goto(appContextFor(app.id));
  await press(page, page.getByRole("link", { name: "Create campaign" }));
  const ios = page.getByRole("group", { name: "iOS", exact: true });
  await type(page, page.getByLabel("Threshold"), "x");
  await type(page, page.getByLabel("Name", { exact: true }), "Autumn");
  await tabTo(page, page.getByRole("checkbox", { name: "Android" }));
  await page.keyboard.press("Space");
  await press(page, fold(page, "Codes"));
  await expect(page.getByRole("group", { name: "Android", exact: true })).toBeHidden();
  await type(page, ios.getByLabel("Instructions"), "Tap Redeem and be happy");
  await press(page, page.getByRole("button", { name: "API response" }));
  await expect(page.getByTestId("answer")).toBeVisible();
  await expect(page.getByTestId("answer")).toContainText('"instructions": "Tap Redeem and be happy"');
  await press(page, page.getByRole("button", { name: "Create and activate" }));
  const refusal = "The number of friends must be a whole number from 1 to 10,000";
  await expect(page.getByText(refusal, { exact: true })).toBeVisible();
  await expect(page.getByText(`${refusal}. Nothing was saved.`)).toBeVisible();
  await expect(page.getByLabel("Threshold")).toBeFocused();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Autumn");
  await type(page, page.getByLabel("Threshold"), "5");
  await type(page, ios.getByLabel("Maximum rewards per referrer"), "x");
  await press(page, fold(page, "Codes"));
  await expect(ios.getByLabel("Instructions")).toBeHidden();
  await press(page, page.getByRole("button", { name: "Create and activate" }));
  await expect(ios.getByLabel("Maximum rewards per referrer")).toBeFocused();
  await expect(ios.getByLabel("Instructions")).toHaveValue("Tap Redeem and be happy");
  await type(page, ios.getByLabel("Maximum rewards per referrer"), "9");
  await press(page, page.getByRole("button", { name: "Create and activate" }));
  await expect(titleOf(page)).toHaveText("AutumnActive");
  await expect(page.getByText("A reward for every 5 confirmed referrals")).toBeVisible();

  const campaignId = page.url().split("/").at(-1) ?? "";
  await confirmed(app.id, campaignId, 4);
  await press(page, page.getByRole("link", { name: "Edit" }));
  await type(page, page.getByLabel("Threshold"), "2");
  await page.evaluate(() => {
    const look = () => document.querySelector("dialog[open] [aria-disabled]")?.setAttribute("title", "deaf");
    new MutationObserver(look).observe(document.body, { subtree: true, attributeFilter: ["open"] });
  });
  await press(page, page.getByRole("button", { name: "Save changes" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 rewards become due, for 1 referrer");
  await expect(dialog.getByTitle("deaf")).toHaveCount(0);
  await expect(dialog).toContainText("The reward pool has codes for all of them");
  await expectAccessible(page);
  await press(page, dialog.getByRole("button", { name: "Save and grant 2" }));
  await expect(page.getByText("A reward for every 2 confirmed referrals")).toBeVisible();
  await expect(page.locator("dl").first()).toContainText("Rewards earned2");

  await press(page, page.getByRole("button", { name: "End" }));
  await expect(dialog).toContainText("no codes are assigned");
  await expect(dialog).toContainText("2 rewards are earned and not claimed");
  await expect(dialog.getByRole("button", { name: "End campaign" })).toBeDisabled();
  await type(page, dialog.getByRole("textbox"), "Autumn");
  await press(page, dialog.getByRole("button", { name: "End campaign" }));
  await expect(titleOf(page)).toHaveText("AutumnEnded");
  await expect(page.getByRole("button", { name: "End" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("activating a referral campaign pauses the active one, and a campaign can be duplicated", async ({
  page,
}) => {
  const app = await makeSeparateApp("Two campaigns");
  const make = async (name: string, button: string) => {
    await page.goto(`${appContextFor(app.id)}/new`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: button }).click();
    await expect(titleOf(page)).toContainText(name);
  };
  await make("First", "Create and activate");
  await make("Second", "Save as draft");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Activate" }).click();
  await expect(dialog).toContainText("“First” is paused, because");
  await dialog.getByRole("button", { name: "Activate and pause the other" }).click();
  await expect(titleOf(page)).toHaveText("SecondActive");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Second (copy)");
  await page.goto(appContextFor(app.id));
  const row = (name: string | RegExp) => page.getByRole("row", { name });
  await expect(row("First")).toContainText("Paused");
  await expect(row("Second (copy)")).toContainText("Draft");
  // A name of this length stays on one line beside the other columns.
  const copy = page.getByRole("cell").getByText("Second (copy)", { exact: true });
  const oneLine = await page.getByRole("cell").getByText("First", { exact: true }).boundingBox();
  expect((await copy.boundingBox())?.height).toBe(oneLine?.height);

  await page.getByLabel("Select all on this page").focus();
  await page.keyboard.press("Space");
  await press(page, page.getByRole("button", { name: "Pause: 3 campaigns" }));
  await press(page, dialog.getByRole("button", { name: "Pause" }));
  await expect(page.getByRole("list", { name: "Not changed" }).getByRole("listitem")).toHaveCount(2);
  await expect(row(/^Second ?Referral.*Paused/)).toHaveCount(1);
  await page.getByLabel("Select First").check();
  await page.getByLabel("Select Second (copy)").check();
  await page.getByRole("link", { name: "Confirmed" }).click();
  await expect(page).toHaveURL(/sort=confirmed/);
  await page.getByRole("button", { name: "End: 2 campaigns" }).click();
  await expect(dialog.getByRole("button", { name: "End" })).toBeDisabled();
  await dialog.getByLabel("Type end to confirm").fill("end");
  await dialog.getByRole("button", { name: "End" }).click();
  await expect(row("First")).toContainText("Ended");
  await expect(row("Second (copy)")).toContainText("Ended");
  await expect(page.getByLabel("Select First")).toHaveCount(0);
  await expectAccessible(page);
});

test("an influencer gets a metacode, rewards and codes that are shown once", async ({ page }) => {
  const errors = browserErrors(page);
  const app = await makeSeparateApp("Partners");
  await page.goto(`${appContextFor(app.id)}/new`);
  await page.getByText("Influencers", { exact: true }).click();
  await expect(page.getByRole("radio", { name: /^Influencers/ })).toBeChecked();
  await expect(page.getByLabel("Threshold", { exact: true })).toHaveCount(0);
  await page.getByLabel("Name", { exact: true }).fill("Stars");
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByRole("button", { name: "Add influencer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Metacode").fill("test123");
  await expect(dialog.getByText("test123 is a reserved word")).toBeVisible();
  const metacode = `star${app.id.slice(-8)}`;
  await dialog.getByLabel("Metacode").fill(metacode.toUpperCase());
  await expect(dialog.getByText(`${metacode} is available`)).toBeVisible();
  await dialog.getByLabel("Name").fill("Anna");
  await dialog.getByLabel("Notes").fill("Met at the fair");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add influencer" }).click();

  const menu = page.getByRole("button", { name: "Actions for Anna" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Grant rewards" }).click();
  await dialog.getByLabel("Rewards").fill("2");
  await dialog.getByRole("button", { name: "Grant rewards" }).click();
  await expect(dialog.getByText("This is required")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Video");
  await dialog.getByRole("button", { name: "Grant rewards" }).click();
  await expect(page.getByRole("row", { name: /^Anna/ })).toContainText("0 of 2 claimed");

  await menu.click();
  await page.getByRole("menuitem", { name: "Claim rewards" }).click();
  await dialog.getByRole("button", { name: "Claim rewards" }).click();
  await expect(page.getByTestId("reward-code")).toHaveCount(2);
  const code = (await page.getByTestId("reward-code").first().textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("reward-code")).toHaveCount(2);
  const prompted = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  await (await prompted).dismiss();
  await closing;
  await dialog.getByRole("button", { name: "I have passed them on" }).click();
  await expect(page.getByRole("row", { name: /^Anna/ })).toContainText("2 of 2 claimed");
  await page.reload();
  expect(await page.content()).not.toContain(code);
  await page.goto(`/r/${metacode}`);
  await expect(page.getByText("Anna invited you to Partners")).toBeVisible();
  expect(errors).toEqual([]);
});

test("the preview is the real landing page, which only the dashboard frames", async ({ page, request }) => {
  const app = await makeSeparateApp("Framed");
  await page.goto(`${appContextFor(app.id)}/new`);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("Anna invited you to Framed")).toBeVisible();
  await expect(frame.getByRole("button", { name: "Copy metacode" })).toBeVisible();
  const preview = await page.request.get(`${appContextFor(app.id)}/landing`);
  expect(preview.headers()["content-security-policy"]).toContain("frame-ancestors 'self'");
  const refused = await request.get(`${appContextFor(app.id)}/landing`);
  expect(refused.status()).toBe(401);
  expect(await refused.text()).not.toContain("Framed");
});

test("the form is sound in every form, with an error and a warning in it", async ({ page }) => {
  const errors = browserErrors(page);
  const app = await makeSeparateApp("Sound");
  await page.goto(appContextFor(app.id));
  await expectSoundInEveryForm(page);
  await page.goto(`${appContextFor(app.id)}/new`);
  await expectSoundInEveryForm(page);
  await fold(page, "More rules").click();
  await page.getByLabel("Accept any renewal as confirmation").check();
  await fold(page, "Codes").click();
  await page.getByLabel("Codes for rewards").first().selectOption("new");
  await page.getByLabel("Name", { exact: true }).fill(" ");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByText("This must not be blank")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expectSoundInEveryForm(page);
  expect(errors).toEqual([]);
});
