import { Secret, TOTP } from "otpauth";
import { expect, test } from "playwright/test";
import {
  fillSignUp,
  newEmail,
  openLink,
  otherBrowser,
  PASSWORD,
  signInByForm,
  useNewAccount,
} from "@/e2e/parts/accounts";
import { browserErrors, expectAccessible, expectSoundPages } from "@/e2e/parts/page-checks";

/** The code that an authenticator shows `steps` half-minutes from now. */
const shown = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

test("a newcomer signs up by keyboard alone, and a known address gets the same answer", async ({ page }) => {
  const errors = browserErrors(page);
  const email = newEmail();
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in" }).first().press("Enter");
  await page.waitForURL("**/sign-in**");
  await page.getByRole("link", { name: "Sign up" }).press("Enter");
  await page.waitForURL("**/sign-up**");
  await page.getByLabel("Name").focus();
  for (const text of [" ", email, PASSWORD]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press("Tab");
  }
  // Skips the button that shows the password.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByText("This must have 1 to 100 characters")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expectAccessible(page);
  await page.getByLabel("Name").fill("Ann Ash");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("status").filter({ hasText: "Check the mailbox" });
  const labels = await notice.textContent();
  await expectAccessible(page);

  await openLink(page, email, "Confirm your email address");
  const link = page.url();
  await page.getByLabel("Password").fill("wrong horse");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The password is wrong")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await page.getByRole("button", { name: /^All apps/ }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "Ann Ash's workspace" })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await page.goto("/sign-up");
  await fillSignUp(page, email);
  await page.getByRole("button", { name: "Sign up" }).click();
  expect(await notice.textContent()).toBe(labels);
  expect(errors).toEqual([]);
});

test("a forgotten password is reset by email", async ({ page }) => {
  const email = await useNewAccount(page);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.waitForURL("**/reset");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText("If this address has an account")).toBeVisible();
  await openLink(page, email, "Choose a new password");
  const link = page.url();
  const password = page.getByLabel("New password");
  for (const weak of ["1234567890", email]) {
    await password.fill(weak);
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("This password is easy to guess")).toBeVisible();
    await expect(password).toBeFocused();
  }
  await expectAccessible(page);
  await password.fill("battery staple");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL("**/dashboard");
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await signInByForm(page, email, "battery staple");
  await page.waitForURL("**/dashboard/account");
});

test("two-factor sign-in is turned on, required, and turned off", async ({ page, browser, baseURL }) => {
  test.slow();
  const errors = browserErrors(page);
  const email = await useNewAccount(page);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "Account and security" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: "QR code for your authenticator" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.getByTestId("totp-secret").textContent()) ?? "";
  // The field has the focus.
  await page.keyboard.type("abcdef\n");
  await expect(dialog.getByText("This code is wrong")).toBeVisible();
  await dialog.getByLabel("Code", { exact: true }).fill(shown(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const text = (await dialog.getByTestId("recovery-codes").locator("pre").textContent()) ?? "";
  const [first = "", second = ""] = text.split("\n");
  expect(text).toMatch(/^(([0-9A-Z]{4}-){5}[0-9A-Z]{4}\n?){10}$/);
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  expect(await page.content()).not.toContain(first);

  const other = await otherBrowser(browser, baseURL);
  await signInByForm(other, email);
  await other.waitForURL("**/sign-in/code**");
  await expectAccessible(other);
  await other.goto("/dashboard");
  expect(new URL(other.url()).pathname).toBe("/sign-in");
  await other.goto("/sign-in/code?next=/dashboard/account");
  const used = shown(secret, 1);
  await other.getByLabel("Code", { exact: true }).fill(used);
  await other.keyboard.press("Enter");
  await other.waitForURL("**/dashboard/account");
  await expect(other.getByText("10 recovery codes left")).toBeVisible();

  const third = await otherBrowser(browser, baseURL);
  for (const code of [used, first]) {
    await signInByForm(third, email);
    await third.waitForURL("**/sign-in/code**");
    await third.getByLabel("Code", { exact: true }).fill(code);
    await third.keyboard.press("Enter");
    if (code !== first) await expect(third.getByText("This code is wrong or was already used")).toBeVisible();
  }
  await third.waitForURL("**/dashboard/account");
  await expect(third.getByText("9 recovery codes left")).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByLabel("Code", { exact: true }).fill(second);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Off. Your password alone")).toBeVisible();
  expect(errors).toEqual([]);
});

test("another browser is signed out by hand and by a new password; a new name is shown", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await useNewAccount(page);
  const other = await otherBrowser(browser, baseURL);
  await signInByForm(other, email);
  await other.waitForURL("**/dashboard/account");
  await other.getByLabel("Name").fill("Ann Birch");
  await other.getByRole("button", { name: "Save name" }).click();
  await expect(other.getByText("Name saved")).toBeVisible();
  await page.goto("/dashboard/account");
  await expect(page.getByRole("button", { name: "Account of Ann Birch" })).toBeVisible();

  await page.getByRole("button", { name: "Sign out other browsers" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("All other browsers were signed out")).toBeVisible();
  await other.goto("/dashboard");
  expect(new URL(other.url()).pathname).toBe("/sign-in");
  await page.reload();
  expect(new URL(page.url()).pathname).toBe("/dashboard/account");

  await signInByForm(other, email);
  await other.waitForURL("**/dashboard/account");
  await page.getByLabel("Current password").fill("wrong horse");
  await page.getByLabel("New password").fill("battery staple");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The password is wrong")).toBeVisible();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed. All other browsers were signed out.")).toBeVisible();
  await other.goto("/dashboard");
  expect(new URL(other.url()).pathname).toBe("/sign-in");
});

test("an account is deleted with its address and password", async ({ page }) => {
  const email = await useNewAccount(page);
  await page.goto("/dashboard/account");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  const last = dialog.getByRole("button", { name: "Delete account" });
  await expect(last).toBeDisabled();
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByLabel(/^Type/).fill(email);
  await expectAccessible(page);
  await last.click();
  await expect(page.getByText("Your account was deleted")).toBeVisible();
  await signInByForm(page, email);
  await expect(page.getByText("The email address or the password is wrong")).toBeVisible();
});

test("the pages before the dashboard are sound in every form, and show no text of the address", async ({
  page,
}) => {
  const troubled = "/sign-in?error=oauth";
  await expectSoundPages(page, [
    "/sign-in",
    troubled,
    "/sign-up",
    "/reset",
    "/reset/x",
    "/verify/x",
    "/mailbox",
  ]);
  await page.goto("/sign-in?error=Call+this+number");
  await expect(page.getByText("Call this number")).toHaveCount(0);
});

test("a form names what is missing below the field, before it is sent", async ({ page }) => {
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") sent += 1;
  });
  await page.goto("/sign-up");
  const submit = page.getByRole("button", { name: "Sign up" });
  await submit.click();
  for (const name of ["Name", "Email", "Password"])
    await expect(page.getByText(`${name} is required`)).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Ann Ash");
  await expect(page.getByText("Name is required")).toBeHidden();
  await expect(page.getByText("Email is required")).toBeVisible();
  await page.getByLabel("Email").fill("ann");
  await page.getByLabel("Password").fill("short");
  await submit.click();
  await expect(page.getByText("Enter an email address, such as anna@example.com")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Use at least 10 characters")).toBeVisible();
  await page.getByLabel("Email").fill(newEmail());
  await expect(page.getByText("Enter an email address")).toBeHidden();
  await submit.click();
  await expect(page.getByLabel("Password")).toBeFocused();
  await expectAccessible(page);
  expect(sent).toBe(0);
});
