import { expect, type Page, test } from "playwright/test";
import { makeSeparateApp } from "@/e2e/parts/apps";
import { DESKTOP_VIEWPORT, expectAccessible, expectSoundInEveryForm } from "@/e2e/parts/page-checks";
import { cookiesOf } from "./parts/sign-in";

let cookies: Awaited<ReturnType<typeof cookiesOf>>;
test.beforeAll(async ({ browser, baseURL }) => {
  cookies = await cookiesOf(browser, baseURL);
});
test.beforeEach(({ context }) => context.addCookies(cookies));

const campaignsOf = (appId: string) => `/dashboard/apps/${appId}/campaigns`;

/** The heading of the page, with or without an open dialog. */
const titleOf = (page: Page) => page.getByRole("heading", { level: 1 });

test("the form keeps its input offline, without a session, and when another tab saved first", async ({
  page,
  context,
}) => {
  const app = await makeSeparateApp("Never lost");
  await page.goto(`${campaignsOf(app.id)}/new`);
  await page.getByLabel("Name", { exact: true }).fill("Autumn");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByText("You are offline. Nothing was saved")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Autumn");
  await context.setOffline(false);

  await context.clearCookies();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByText("Your session has ended. Nothing was saved")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign in in a new tab" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Autumn");
  await context.addCookies(cookies);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(titleOf(page)).toContainText("Autumn");

  const edit = `${page.url()}/edit`;
  const other = await context.newPage();
  await Promise.all([page.goto(edit), other.goto(edit)]);
  await other.getByLabel("Name", { exact: true }).fill("Autumn A");
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(titleOf(other)).toContainText("Autumn A");
  await page.getByLabel("Threshold").fill("7");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("You saved this in another tab or window just now")).toBeVisible();
  await expect(page.getByRole("row", { name: "Name Autumn A Autumn" })).toBeVisible();
  await expectSoundInEveryForm(page);
  await page.setViewportSize(DESKTOP_VIEWPORT);
  await page.getByRole("button", { name: "Save mine anyway" }).click();
  await expect(titleOf(page)).toHaveText("AutumnDraft");
  await expect(page.getByText("A reward for every 7 confirmed referrals").first()).toBeVisible();

  const landing = `/dashboard/apps/${app.id}/landing`;
  await Promise.all([page.goto(landing), other.goto(landing)]);
  for (const [tab, lead] of [
    [other, "Ride along"],
    [page, "Join in"],
  ] as const) {
    await tab.locator("[name=lead]").fill(lead);
    const texts = tab.locator("form", { has: tab.locator("[name=lead]") });
    await texts.getByRole("button", { name: "Save", exact: true }).click();
    if (tab === other) await expect(tab.getByText("Settings saved")).toBeVisible();
  }
  await expect(page.getByRole("row", { name: /Ride along Join in$/ })).toBeVisible();
  await other.close();
});

test("a stored form opens its page without a question, behind a TLS proxy and when the page is loaded again", async ({
  page,
}) => {
  const app = await makeSeparateApp("Redirected");
  const create = async (name: string) => {
    await page.goto(`${campaignsOf(app.id)}/new`);
    await page.evaluate(() => Object.assign(window, { stays: true }));
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await expect(titleOf(page)).toContainText(name);
    return page.evaluate(() => "stays" in window);
  };
  await page.route(/\/campaigns\/new$/, (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-forwarded-proto": "https" } }),
  );
  expect(await create("Winter")).toBe(true);

  await page.unrouteAll();
  await page.route(/\/campaigns\/new$/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await route.fulfill({
      status: response.status(),
      headers: { "x-action-redirect": response.headers()["x-action-redirect"] ?? "" },
    });
  });
  expect(await create("Spring")).toBe(false);
});

test("leaving with unsaved input asks first: by a link, by Back, by Escape and by closing the tab", async ({
  page,
}) => {
  const app = await makeSeparateApp("Unsaved");
  await page.goto(campaignsOf(app.id));
  await page.getByRole("link", { name: "Create campaign" }).click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Autumn");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const stay = async () => {
    await expectAccessible(page);
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(question).toBeHidden();
    await expect(name).toHaveValue("Autumn");
    expect(page.url()).toContain("/campaigns/new");
  };
  await page.getByRole("link", { name: "Codes", exact: true }).click();
  await stay();
  await page.goBack().catch(() => undefined);
  await stay();
  const prompted = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const prompt = await prompted;
  expect(prompt.type()).toBe("beforeunload");
  await prompt.dismiss();
  await closing;

  await page.getByRole("link", { name: "Codes", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(titleOf(page)).toHaveText("Codes");

  await page.getByRole("button", { name: "Create pool" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Mine");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("Mine");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
