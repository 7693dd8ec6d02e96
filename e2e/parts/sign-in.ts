import { eq } from "drizzle-orm";
import type { BrowserContext, Page } from "playwright/test";
import { users } from "@/lib/platform/db/schema";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { createSession } from "@/lib/tenants/accounts/session";
import { afterFirstFactor } from "@/lib/tenants/accounts/sign-in";
import { issueDeviceToken, issueSessionToken } from "@/lib/web/session/token";
import { sample } from "../sample";
import { inDatabase } from "./database";

interface Account {
  email: string;
  password: string;
}

export type SessionCookie = Parameters<BrowserContext["addCookies"]>[0][number];

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

const CHROMIUM =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36";

/**
 * The cookies of a new session of an account, as a sign-in sets them. The forms of a sign-in have their own tests in
 * accounts.spec.ts, sessions.spec.ts and dashboard.spec.ts.
 */
export async function cookiesOf({ email }: { email: string } = sample().owner): Promise<SessionCookie[]> {
  return inDatabase(async (db) => {
    const [user] = await db.orm.select().from(users).where(eq(users.email, email));
    if (!user) throw new Error(`${email} has no account`);
    const browser = { address: "127.0.0.1", userAgent: CHROMIUM };
    const step = await afterFirstFactor(db, user, { by: "Password", ...browser });
    if (!("signedIn" in step)) throw new Error(`${email} has a second factor`);
    const session = await issueSessionToken(await createSession(db, step.signedIn, browser));
    const device = await issueDeviceToken(email, user.sessionVersion);
    const own = { url: process.env.E2E_BASE_URL ?? "", httpOnly: true, sameSite: "Lax" } as const;
    const values = Object.entries({ session, device });
    return values.map(([name, value]) => ({ name: `metacode.${name}`, value, ...own }));
  });
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
