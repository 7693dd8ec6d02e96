import { type Browser, expect, type Page, test } from "playwright/test";
import { openLink } from "@/e2e/parts/accounts";
import { browserErrors, expectAccessible, openHydrated, PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { makeAccountWithPassword } from "@/e2e/parts/sign-in";
import { makeSample } from "./parts/samples";
import { cookiesOf, type SessionCookie } from "./parts/sign-in";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

let last = 0;

/** A workspace for this test alone. Opens its team page. */
async function createOwnedWorkspace(page: Page): Promise<{ path: string; name: string }> {
  const name = `Walk ${process.pid} ${++last}`;
  await page.goto("/dashboard/workspaces/new");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL(/\/workspaces\/[0-9a-f-]{36}$/);
  return { path: new URL(page.url()).pathname, name };
}

/** Deletes the workspace, so that the tests can run many times. */
async function deleteWorkspace(page: Page, path: string, name: string): Promise<void> {
  await page.goto(`${path}/settings`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  const submit = dialog.getByRole("button", { name: "Delete workspace" });
  await expect(submit).toBeDisabled();
  await dialog.getByLabel("to confirm").fill(name);
  await submit.click();
  await page.waitForURL("**/dashboard");
  await expect(page.getByText(name)).toHaveCount(0);
}

async function inviteByLink(page: Page, role: string): Promise<string> {
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "By link" }).check();
  await dialog.getByLabel("Role").selectOption(role);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = (await page.getByTestId("invitation").textContent()) ?? "";
  await page.getByRole("button", { name: "I have copied the link" }).click();
  await expect(page.getByText(link)).toHaveCount(0);
  expect(await (await page.request.get(page.url())).text()).not.toContain(link);
  return new URL(link).pathname;
}

/**
 * Another user with a separate browser, who follows the invitation and signs in on the way. Arrives at `home`, because a
 * workspace without an app has no app to open.
 */
async function join(
  browser: Browser,
  baseURL: string | undefined,
  path: string,
  home = "/dashboard",
): Promise<Page> {
  const { email, password } = await makeAccountWithPassword("Bob Birch");
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto(path);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Sign in to join" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Join / }).click();
  await page.waitForURL(`**${home}`);
  return page;
}

/** The distance from an element to the end of its cell. */
const rightGap = (element: Element) =>
  Number(element.closest("td")?.getBoundingClientRect().right) - element.getBoundingClientRect().right;

test("an invited user joins, is promoted, and is locked out when removed", async ({
  page,
  browser,
  baseURL,
}) => {
  const errors = browserErrors(page);
  const { path, name } = await createOwnedWorkspace(page);
  await expectAccessible(page);
  const invitation = await inviteByLink(page, "viewer");
  const guest = await join(browser, baseURL, invitation);

  await guest.goto(path);
  await expect(guest.getByRole("row", { name: /Bob Birch.*You/ })).toContainText("Viewer");
  await expect(guest.getByRole("button", { name: "Invite" })).toHaveCount(0);
  // A workspace without apps shows each role its next step.
  await guest.goto("/dashboard");
  await guest.getByRole("link", { name: "Open the team" }).first().click();
  await guest.waitForURL(`**${path}`);
  await openHydrated(page, "/dashboard");
  await page.getByRole("button", { name: `Create app in ${name}` }).click();
  await expect(page.getByRole("dialog", { name: "Create an app" })).toBeVisible();
  await expectAccessible(page);
  expect((await guest.goto(`${path}/audit`))?.status()).toBe(404);
  expect((await guest.request.get(`${path}/audit/export`)).status()).toBe(403);

  await page.goto(invitation);
  await expect(page.getByRole("heading", { name: "This invitation was already used" })).toBeVisible();
  await expectAccessible(page);

  await page.goto(path);
  const menu = page.getByRole("button", { name: "Actions for Bob Birch" });
  expect(await menu.evaluate(rightGap), "the menu is at the end of its row").toBeLessThan(24);
  const role = page.getByRole("dialog").getByLabel("Role");
  // The dialog shows the stored role each time, and returns the focus to the menu's button.
  for (const change of ["Support", "Admin"]) {
    await menu.click();
    await page.getByRole("menuitem", { name: "Change role" }).click();
    await role.selectOption("Owner");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await expect(menu).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Change role" }).click();
    await expect(role).not.toHaveValue("owner");
    await role.selectOption(change);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Change role" }).click();
    await expect(page.getByText(`Role of Bob Birch: ${change}`)).toBeVisible();
    await expect(page.getByRole("row", { name: new RegExp(`Bob Birch.*${change}`) })).toBeVisible();
  }
  await guest.goto(path);
  await expect(guest.getByRole("button", { name: "Invite" })).toBeVisible();
  expect((await guest.goto(`${path}/audit`))?.status()).toBe(200);
  const left = await inviteByLinkOf(guest, path);

  await page.goto(path);
  await page.getByRole("button", { name: "Actions for Bob Birch" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("row", { name: /Bob Birch/ })).toHaveCount(0);
  expect((await guest.goto(path))?.status()).toBe(404);
  expect((await guest.request.get(`${path}/audit/export`)).status()).toBe(404);
  await guest.goto(left);
  await expect(guest.getByRole("heading", { name: "This invitation does not work" })).toBeVisible();

  await deleteWorkspace(page, path, name);
  expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
  await guest.context().close();
});

const inviteByLinkOf = async (guest: Page, path: string) => {
  await guest.goto(path);
  return inviteByLink(guest, "member");
};

test("an invited user lands in the only app of the workspace", async ({ page, browser, baseURL }) => {
  const own = await makeSample({ live: true, codes: 20 });
  await page.context().clearCookies();
  await page.context().addCookies(await cookiesOf(own.owner));
  await page.goto(`/dashboard/workspaces/${own.workspace_id}`);
  const invitation = await inviteByLink(page, "member");
  const guest = await join(browser, baseURL, invitation, `/dashboard/apps/${own.app_id}`);
  await expect(guest.getByRole("heading", { level: 1 })).toBeVisible();
  await guest.context().close();
});

test("the page that signs in knows the invitation: the workspace, the inviter, the role and the address", async ({
  page,
  browser,
  baseURL,
}) => {
  const { path, name } = await createOwnedWorkspace(page);
  const { email, password } = await makeAccountWithPassword("Cleo Cypress");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(email).first()).toBeVisible();
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const guest = await context.newPage();
  await openLink(guest, email, name);
  await guest.getByRole("link", { name: "Sign in to join" }).click();
  const introduction = guest.getByText(`invites you to the workspace ${name}. Your role: member.`);
  const onSignIn = async () => {
    await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Sign in to Metacode");
    await expect(introduction).toBeVisible();
    await expect(guest.getByLabel("Email")).toHaveValue(email);
  };
  await onSignIn();
  await expectAccessible(guest);
  // Neither the page nor the data of its forms reveals more than the text does.
  const workspaceId = path.split("/").at(-1) ?? "";
  const invitation = new URL(guest.url()).searchParams.get("next") ?? "";
  for (const page of [guest.url(), guest.url().replace("sign-in", "sign-up"), invitation]) {
    expect(await (await guest.request.get(page)).text()).not.toContain(workspaceId);
  }
  await guest.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Reset your password");
  await guest.reload();
  await expect(guest.getByLabel("Email")).toHaveValue(email);
  await guest.getByRole("link", { name: "Back to sign in" }).click();
  await onSignIn();
  await guest.getByLabel("Password").fill(password);
  await guest.keyboard.press("Enter");
  await guest.getByRole("button", { name: `Join ${name}` }).click();
  await guest.waitForURL("**/dashboard");
  await context.close();
  await deleteWorkspace(page, path, name);
});

test("the audit log is searched in the address bar, opened and exported, on a phone", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  const { path, name } = await createOwnedWorkspace(page);
  await inviteByLink(page, "member");
  await page.goto(`${path}/audit`);
  const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await expect(entries).toHaveText([/Invitation created/, /Workspace created/]);
  await page.getByLabel("Search the audit log").fill("invitation");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/audit?q=invitation");
  await expect(entries).toHaveText([/Invitation created/]);
  await page.reload();
  await expect(page.getByLabel("Search the audit log")).toHaveValue("invitation");
  await entries.locator("summary").click();
  await expect(entries.getByRole("row", { name: "role Nothing member" })).toBeVisible();
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const text = (await (await file.createReadStream()).toArray()).join("");
  expect(text).toContain("invitation.created");
  expect(text).not.toContain("workspace.created");
  await page.getByLabel("Subject").selectOption("pool");
  await expect(page.getByText("No matching entries")).toBeVisible();
  await expectAccessible(page);
  await deleteWorkspace(page, path, name);
});
