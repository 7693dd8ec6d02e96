import { eq } from "drizzle-orm";
import { expect, type Locator, type Page } from "playwright/test";
import { users } from "@/lib/platform/db/schema";
import { addMember } from "@/lib/tenants/workspaces/members";
import { inDatabase } from "./database";
import { openPalette } from "./page-checks";
import { cookiesOf, makeAccountWithPassword } from "./sign-in";

/** Clicks after the search that a ticket may take. */
const MOST_CLICKS = 5;

/** The cookies of a new member of a workspace. */
export async function memberCookies(
  role: "support" | "member" | "admin" | "owner",
  workspaceId: string,
  name = role === "support" ? "Sam Support" : "Mia Member",
) {
  const account = await makeAccountWithPassword(name);
  await inDatabase(async (db) => {
    const [user] = await db.orm.select().from(users).where(eq(users.email, account.email));
    await addMember(db, { workspaceId, userId: user?.id ?? "", role });
  });
  return cookiesOf(account);
}

let clicks = 0;

/** Expects that the clicks since the search, or since `startCounting`, were few enough. */
export function expectFewClicks(): void {
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
}

/** Begins a ticket that does not start with a search. */
export function startCounting(): void {
  clicks = 0;
}

/** Opens the command palette, searches, and chooses a result; the clicks of the ticket count from here. */
export async function searchFor(
  page: Page,
  appId: string,
  text: string,
  result: RegExp,
  choose = (option: Locator) => option.click(),
): Promise<void> {
  // A page with little to load.
  await page.goto(`/dashboard/apps/${appId}/settings`);
  const option = page.getByRole("option", { name: result }).first();
  const field = (await openPalette(page)).getByRole("combobox");
  // Requests are written once a second; emptying the field first makes the same text a new search.
  await expect(async () => {
    await field.fill("");
    await field.fill(text);
    await expect(option).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await choose(option);
  await page.waitForURL(/(people|referrals|referrers|requests|campaigns)/);
  clicks = 0;
}

export async function countedClick(target: Locator): Promise<void> {
  await target.click();
  clicks += 1;
}

/** Presses a button, answers its question with the first choice and a reason where required, and submits. */
export async function answerQuestion(page: Page, name: string | RegExp, submit: string): Promise<void> {
  await countedClick(page.getByRole("button", { name, exact: true }).first());
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const choice = dialog.getByRole("radio").first();
  if (await choice.isVisible()) await countedClick(choice);
  const reason = dialog.getByLabel("Reason");
  if (await reason.isVisible()) await reason.fill("The user wrote to us");
  await countedClick(dialog.getByRole("button", { name: submit, exact: true }));
  await expect(dialog).toBeHidden();
}
