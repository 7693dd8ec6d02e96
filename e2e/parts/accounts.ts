import type { Browser, Page } from "playwright/test";
import { cookiesOf, makeAccountWithPassword } from "./sign-in";

/** The password of every account in these tests. */
export const PASSWORD = "correct horse";
let last = 0;

/** An address that no other test has. */
export const newEmail = () => `walker-${process.pid}-${Date.now()}-${++last}@example.com`;

/** Opens the link of the newest email to an address, as its recipient would. */
export async function openLink(page: Page, email: string, subject: string): Promise<void> {
  await page.goto("/mailbox");
  const message = page
    .getByRole("article")
    .filter({ hasText: `To ${email}` })
    .filter({ hasText: subject })
    .first();
  await message.getByRole("link").first().click();
  await page.waitForURL(/\/(verify|reset|invite)\//);
}

/** Fills in the form of a sign-up. */
export async function fillSignUp(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Name").fill("Ann Ash");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
}

/** Opens the dashboard of a new account. The forms of a sign-up have tests in accounts.spec.ts and newcomer.spec.ts. */
export async function useNewAccount(page: Page): Promise<string> {
  const account = await makeAccountWithPassword("Ann Ash");
  await page.context().addCookies(await cookiesOf(account));
  await page.goto("/dashboard");
  return account.email;
}

/** Sends the form of a sign-in that continues at the account page. */
export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in?next=%2Fdashboard%2Faccount");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

/** A browser without the cookies of this one. */
export async function otherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? "" })).newPage();
}
