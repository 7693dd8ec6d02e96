import { expect, type Page, test } from "playwright/test";
import { makeSeparateApp } from "@/e2e/parts/apps";
import { DESKTOP_VIEWPORT, expectAccessible, expectSoundInEveryForm } from "@/e2e/parts/page-checks";
import { createConnection } from "@/lib/program/connections/create";
import { checkFile, codesPath, fileLike, poolOf } from "./parts/code-files";
import type { SessionCookie } from "./parts/sign-in";
import { memberCookies } from "./parts/tickets";
import { sample } from "./sample";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await memberCookies("owner", sample().workspace_id, "Mia Member");
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

test("a page that refreshes itself stays while the server does not answer, and goes on afterwards", async ({
  page,
  context,
}) => {
  let connectionId = "";
  const app = await makeSeparateApp("Refreshing", async (ctx) => {
    connectionId = (await createConnection(ctx, { provider: "revenuecat", name: "Shop" })).id;
  });
  const path = `/dashboard/apps/${app.id}`;
  await page.goto(`${path}/requests`);
  const live = page.getByRole("switch", { name: /^Live/ });
  await live.click();
  await context.setOffline(true);
  await expect(live).toContainText("no connection");
  await page.getByLabel("Outcome").selectOption({ index: 1 });
  await expect(page.getByText("You are offline. This page stays as it is")).toBeVisible();
  await context.setOffline(false);
  await expect(live).not.toContainText("no connection");

  await page.goto(`${path}/check`);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("The server cannot be reached")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Requests" }).click();
  await expect(page.getByText("You are offline. This page stays as it is")).toBeVisible();
  await expect(titleOf(page)).toHaveText("Integration check");
  await context.setOffline(false);

  const connection = `${path}/providers/${connectionId}`;
  await page.goto(connection);
  const waiting = page.getByText("Waiting for the first event from RevenueCat");
  await expect(waiting).toContainText("It appears here as soon as it arrives");
  await page.evaluate(() => Object.assign(window, { stays: true }));
  const badGateway = /\/api\/ready$|\/providers\//;
  await page.route(badGateway, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await expect(waiting).toContainText("The server cannot be reached");
  await page.unroute(badGateway);
  await expect(waiting).toContainText("It appears here as soon as it arrives");
  expect(await page.evaluate(() => "stays" in window)).toBe(true);
});

test("an import that fails offline keeps its file, and is repeated", async ({ page, context }) => {
  await checkFile(page, poolOf("referee_ios"), fileLike("app-store-promo.txt"));
  const submit = page.getByRole("button", { name: "Import 6 codes" });
  await expect(submit).toBeVisible();
  await context.setOffline(true);
  await submit.click();
  await expect(page.getByText("The connection was lost")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The connection was lost")).toBeVisible();
  await expect(page.getByText("app-store-promo.txt")).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("6 codes imported")).toBeVisible();
});

test("a half-typed date is refused at its field, and a template leaves a typed name as it is", async ({
  page,
}) => {
  const app = await makeSeparateApp("Half-typed");
  await page.goto(`${campaignsOf(app.id)}/new`);
  const name = page.getByLabel("Name", { exact: true });
  const choose = (title: string) => page.getByRole("group", { name: "Template" }).getByText(title).click();
  await choose("Paying friends");
  await expect(name).toHaveValue("Paying friends");
  await name.fill("Spring");
  await choose("Give one, get one");
  await expect(page.getByRole("radio", { name: "Give one, get one" })).toBeChecked();
  await expect(name).toHaveValue("Spring");

  const dates = page.locator("summary").filter({ hasText: /^Dates/ });
  await dates.click();
  const starts = page.getByLabel("Starts", { exact: false });
  await starts.pressSequentially("12");
  await dates.click();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(starts).toBeFocused();
  await expect(page.getByText("Enter a complete date and time, or clear the field").first()).toBeVisible();
  await expectAccessible(page);
  await starts.fill("2098-12-01T08:00");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(titleOf(page)).toHaveText("SpringDraft");
  await expect(page.getByText(/2098/).first()).toBeVisible();
});

test("pasted codes are still there after they were refused, and are not left without a question", async ({
  page,
}) => {
  const text = "Date,Units\n2026-11-01,12\n";
  await page.goto(`${codesPath()}/import`);
  await page.getByRole("button", { name: "Paste codes instead" }).click();
  const codes = page.getByLabel("Codes", { exact: true });
  await codes.fill(text);
  await page.getByRole("button", { name: "Check codes" }).click();
  await expect(page.getByText("The pasted codes were not imported")).toBeVisible();
  await expect(codes).toHaveValue(text);

  await page.getByRole("link", { name: "Codes", exact: true }).first().click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question.getByText("The codes you pasted are not imported yet")).toBeVisible();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(codes).toHaveValue(text);
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
