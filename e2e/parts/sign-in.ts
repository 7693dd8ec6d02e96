import type { Browser, BrowserContext, Page } from "playwright/test";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { sample } from "../sample";
import { inDatabase } from "./database";

interface Account {
  email: string;
  password: string;
}

/** Signs in by the form and waits for the requested page. */
export async function signInAs(
  page: Page,
  path = "/dashboard",
  account: Account = sample().owner,
): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${path}`);
}

/** The cookies of a signed-in user: a file signs in once and adds them to the context of each test. */
export async function cookiesOf(
  browser: Browser,
  baseURL: string | undefined,
  account: Account = sample().owner,
): Promise<Awaited<ReturnType<BrowserContext["cookies"]>>> {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  await signInAs(await context.newPage(), "/dashboard", account);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

let last = 0;

/** Inserts an account without a workspace. The sign-up form has its own tests in accounts.spec.ts. */
export async function makeAccountWithPassword(name: string): Promise<{ email: string; password: string }> {
  const account = {
    email: `account-${process.pid}-${Date.now()}-${++last}@example.com`,
    password: "correct horse",
  };
  await inDatabase((db) => createUser(db, { ...account, name }));
  return account;
}
