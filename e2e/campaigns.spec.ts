import { expect, type Locator, type Page, test } from "playwright/test";
import { uuidv7 } from "uuidv7";
import { referrerProgress } from "@/lib/db/schema";
import { inDatabase } from "./parts/database";
import { ownApp } from "./parts/own-app";
import { cookiesOf } from "./parts/sign-in";
import { complaintsOf, DESKTOP, expectSound, PHONE } from "./parts/sound";

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
test.beforeAll(async ({ browser, baseURL }) => {
  cookies = await cookiesOf(browser, baseURL);
});
test.beforeEach(({ context }) => context.addCookies(cookies));

const roomOf = (appId: string) => `/dashboard/apps/${appId}/campaigns`;

/** Goes on with Tab until the field has the focus. */
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

/** Types over what is there. */
async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/** The page's own heading, whatever dialog is open. */
const titleOf = (page: Page) => page.getByRole("heading", { level: 1 });

/** Somebody with confirmed referrals on iOS and no reward yet. */
const confirmed = (appId: string, campaignId: string, count: number) =>
  inDatabase(({ orm }) =>
    orm.insert(referrerProgress).values({
      ...{ appId, campaignId, referrerId: uuidv7(), platform: "ios", confirmed: count },
    }),
  );

test("a campaign is created, activated, changed and ended by keyboard alone", async ({ page }) => {
  test.setTimeout(180_000);
  const complaints = complaintsOf(page);
  const app = await ownApp("Keyboard");
  await page.goto(roomOf(app.id));
  await press(page, page.getByRole("link", { name: "Create campaign" }));
  const ios = page.getByRole("group", { name: "iOS", exact: true });
  await type(page, page.getByLabel("Name", { exact: true }), "Autumn");
  await type(page, ios.getByLabel("Threshold"), "x");
  await type(page, ios.getByLabel("Instructions"), "Tap Redeem and be happy");
  await expect(page.getByTestId("answer")).toContainText('"instructions": "Tap Redeem and be happy"');
  await tabTo(page, page.getByLabel("Runs on Android"));
  await page.keyboard.press("Space");
  await expect(page.getByRole("group", { name: "Android" }).getByLabel("Threshold")).toBeHidden();
  await press(page, page.getByRole("button", { name: "Create and activate" }));
  await expect(ios.getByText("Threshold must be a whole number from 1 to 10,000")).toBeVisible();
  await expect(ios.getByLabel("Threshold")).toBeFocused();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Autumn");
  await type(page, ios.getByLabel("Threshold"), "5");
  await press(page, page.getByRole("button", { name: "Create and activate" }));
  await expect(titleOf(page)).toHaveText("AutumnActive");
  await expect(page.getByText("A reward every 5 confirmed referrals")).toBeVisible();

  const campaignId = page.url().split("/").at(-1) ?? "";
  await confirmed(app.id, campaignId, 4);
  await press(page, page.getByRole("link", { name: "Edit" }));
  await type(page, ios.getByLabel("Threshold"), "2");
  await press(page, page.getByRole("button", { name: "Save changes" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 rewards become due, for 1 referrer");
  await expect(dialog).toContainText("The reward pool has codes for all of them");
  await expectSound(page);
  await press(page, dialog.getByRole("button", { name: "Save and grant 2" }));
  await expect(page.getByText("A reward every 2 confirmed referrals")).toBeVisible();
  await expect(page.locator("dl").first()).toContainText("Rewards earned2");

  await press(page, page.getByRole("button", { name: "End" }));
  await expect(dialog).toContainText("409 CAMPAIGN_INACTIVE");
  await expect(dialog).toContainText("2 rewards are earned and not claimed");
  await expect(dialog.getByRole("button", { name: "End the campaign" })).toBeDisabled();
  await type(page, dialog.getByRole("textbox"), "Autumn");
  await press(page, dialog.getByRole("button", { name: "End the campaign" }));
  await expect(titleOf(page)).toHaveText("AutumnEnded");
  await expect(page.getByRole("button", { name: "End" })).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("one referral campaign makes room for another, and goes on", async ({ page }) => {
  const app = await ownApp("Two campaigns");
  const make = async (name: string, button: string) => {
    await page.goto(`${roomOf(app.id)}/new`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: button }).click();
    await expect(titleOf(page)).toContainText(name);
  };
  await make("First", "Create and activate");
  await make("Second", "Save as draft");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Activate" }).click();
  await expect(dialog).toContainText("“First” is paused with it");
  await dialog.getByRole("button", { name: "Activate, and pause the other" }).click();
  await expect(titleOf(page)).toHaveText("SecondActive");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Second (copy)");
  await page.goto(roomOf(app.id));
  const row = (name: string) => page.getByRole("row", { name });
  await expect(row("First")).toContainText("Paused");
  await expect(row("Second (copy)")).toContainText("Draft");
});

test("an influencer gets a metacode, rewards and codes that are shown once", async ({ page }) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  const app = await ownApp("Influencers");
  await page.goto(`${roomOf(app.id)}/new`);
  await page.getByRole("radio", { name: /^Influencer/ }).check();
  await expect(page.getByLabel("Threshold", { exact: true })).toHaveCount(0);
  await page.getByLabel("Name", { exact: true }).fill("Stars");
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByRole("button", { name: "Add influencer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Metacode").fill("test123");
  await expect(dialog.getByText("test123 is a reserved word")).toBeVisible();
  const metacode = `star${app.id.slice(-8)}`;
  await dialog.getByLabel("Metacode").fill(metacode.toUpperCase());
  await expect(dialog.getByText(`${metacode} is free`)).toBeVisible();
  await dialog.getByLabel("Name").fill("Anna");
  await dialog.getByLabel("Notes").fill("Met at the fair");
  await expectSound(page);
  await dialog.getByRole("button", { name: "Add influencer" }).click();

  const menu = page.getByRole("button", { name: "Actions for Anna" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Grant rewards" }).click();
  await dialog.getByLabel("Rewards").fill("2");
  await dialog.getByRole("button", { name: "Grant" }).click();
  await expect(dialog.getByText("This is required")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Video");
  await dialog.getByRole("button", { name: "Grant" }).click();
  await expect(page.getByRole("row", { name: /^Anna/ })).toContainText("0 of 2 claimed");

  await menu.click();
  await page.getByRole("menuitem", { name: "Hand out codes" }).click();
  await dialog.getByRole("button", { name: "Take the codes" }).click();
  await expect(page.getByTestId("reward-code")).toHaveCount(2);
  const code = (await page.getByTestId("reward-code").first().textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("reward-code")).toHaveCount(2);
  await dialog.getByRole("button", { name: "I have passed them on" }).click();
  await expect(page.getByRole("row", { name: /^Anna/ })).toContainText("2 of 2 claimed");
  await page.reload();
  expect(await page.content()).not.toContain(code);
  await page.goto(`/r/${metacode}`);
  await expect(page.getByRole("heading", { name: "Anna invited you to Influencers" })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("the landing page's preview is the real page, framed by the dashboard alone", async ({
  page,
  playwright,
  baseURL,
}) => {
  const app = await ownApp("Framed");
  await page.goto(`${roomOf(app.id)}/new`);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "Anna invited you to Framed" })).toBeVisible();
  await expect(frame.getByRole("button", { name: "Copy metacode" })).toBeVisible();
  const preview = await page.request.get(`${roomOf(app.id)}/landing`);
  expect(preview.headers()["content-security-policy"]).toContain("frame-ancestors 'self'");
  const stranger = await playwright.request.newContext({ baseURL: baseURL ?? "" });
  const refused = await stranger.get(`${roomOf(app.id)}/landing`);
  expect(refused.status()).toBe(401);
  expect(await refused.text()).not.toContain("Framed");
  await stranger.dispose();
});

for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`the form is sound on a ${device} in ${colorScheme}, with an error and a warning in it`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const complaints = complaintsOf(page);
      const app = await ownApp("Sound");
      await page.goto(roomOf(app.id));
      await expectSound(page);
      await page.goto(`${roomOf(app.id)}/new`);
      await page.getByLabel("Let plain renewals confirm").check();
      await page.getByLabel("Codes for rewards").first().selectOption("new");
      await page.getByRole("button", { name: "Save as draft" }).click();
      await expect(page.getByText("This must not be blank")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
      await expectSound(page);
      expect(complaints).toEqual([]);
    });
  }
}
