import type { Browser, BrowserContext, Page } from "playwright/test";
import { sample } from "../sample";

interface Account {
  email: string;
  password: string;
}

/** Signs in by the form and waits for the page that was wanted. */
export async function signIn(
  page: Page,
  path = "/dashboard",
  account: Account = sample().owner,
): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
}

/** The cookies of somebody who has signed in: a file signs in once and gives them to each test's context. */
export async function cookiesOf(
  browser: Browser,
  baseURL: string | undefined,
  account: Account = sample().owner,
): Promise<Awaited<ReturnType<BrowserContext["cookies"]>>> {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  await signIn(await context.newPage(), "/dashboard", account);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
