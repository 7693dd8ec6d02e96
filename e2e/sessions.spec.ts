import { expect, test } from "playwright/test";
import { openLink, otherBrowser, signInByForm, useNewAccount } from "@/e2e/parts/accounts";

/** Whether this is the account page, and not the sign-in page, whose address ends with the same path. */
const isAccountPage = (url: URL) => url.pathname === "/dashboard/account";

test("a user ends the session of another browser and sees it in the security log", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await useNewAccount(page);
  const other = await otherBrowser(browser, baseURL);
  await signInByForm(other, email);
  await other.waitForURL(isAccountPage);
  await page.goto("/dashboard/account");
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expect(sessions.getByText("This browser")).toHaveCount(1);
  await sessions.getByRole("button", { name: /^End the session of/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
  await expect(page.getByText("The session was ended")).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await other.goto("/dashboard");
  expect(new URL(other.url()).pathname).toBe("/sign-in");
  const log = page.getByRole("list", { name: "Security log" });
  await expect(log.getByText("Session ended")).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("region", { name: "Security log" }).getByRole("link", { name: "Export CSV" }).click();
  expect((await file).suggestedFilename()).toBe("security-log.csv");
});

test("a stranger who guesses is stopped; the owner signs in from a known browser, and elsewhere by email", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await useNewAccount(page);
  const other = await otherBrowser(browser, baseURL);
  const stopped = other.getByText("Too many attempts");
  // Each web process counts separately. Waits for each response, because after 20 attempts all tests are locked out.
  do {
    await signInByForm(other, email, "wrong horse");
    await expect(stopped.or(other.getByText("The email address or the password is wrong"))).toBeVisible();
  } while (!(await stopped.isVisible()));

  await page.goto("/dashboard/account");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/sign-in**");
  await signInByForm(page, email);
  await page.waitForURL(isAccountPage);
  await expect(page.getByText("Wrong password entered").first()).toBeVisible();

  await other.goto("/reset");
  await other.getByLabel("Email").fill(email);
  await other.getByRole("button", { name: "Send link" }).click();
  await expect(other.getByText("If this address has an account")).toBeVisible();
  await openLink(other, email, "Choose a new password");
  await other.getByLabel("New password").fill("battery staple");
  await other.getByRole("button", { name: "Set password" }).click();
  await other.waitForURL("**/dashboard");
});
