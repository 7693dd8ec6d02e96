import { eq } from "drizzle-orm";
import { expect, test } from "playwright/test";
import { crawlPages } from "@/e2e/parts/pages";
import { cookiesOf, makeAccountWithPassword } from "@/e2e/parts/sign-in";
import { apiKeys, memberships, pools, users } from "@/lib/platform/db/schema";
import { inDatabase } from "./parts/database";
import { makeSample } from "./parts/samples";

/** Labels of links and buttons that change something, except a campaign's name and a tab of the settings. */
const CHANGES =
  /^(Add|Change|Choose|Connect|Create|Delete(?= .)|Edit|Generate|Import|Invite(?! friends)|Pause|Replace|Resume|Revoke|Rotate|Save)\b/;

test("a viewer finds no page that refuses, and learns which colleague to ask for the rest", async ({
  browser,
  baseURL,
}) => {
  const own = await makeSample();
  const account = await makeAccountWithPassword("Vera");
  await inDatabase(async ({ orm }) => {
    const [user] = await orm.select().from(users).where(eq(users.email, account.email));
    const { workspace_id: workspaceId, app_id } = own;
    await orm.insert(memberships).values({ workspaceId, userId: user?.id ?? "", role: "viewer" });
    await orm.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.appId, app_id));
    await orm.update(pools).set({ lowStock: 100_000 }).where(eq(pools.appId, app_id));
  });
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  await context.addCookies(await cookiesOf(account));
  const page = await context.newPage();
  const app = `/dashboard/apps/${own.app_id}`;
  const found = await crawlPages(page.request, [app]);
  expect(found.size).toBeGreaterThan(25);
  for (const path of found.values()) {
    // Pages of the reader's own account and workspaces, which a viewer may change.
    if (/^\/dashboard(\/account|\/workspaces\/new)?$/.test(path)) continue;
    await page.goto(path);
    const controls = page.locator("main").locator("a[href], button:enabled");
    const labels = await controls.evaluateAll((all) =>
      all.map((control) => control.ariaLabel ?? control.textContent ?? ""),
    );
    expect
      .soft(
        labels.filter((label) => CHANGES.test(label)),
        path,
      )
      .toEqual([]);
  }
  await page.goto(`${app}/check`);
  await page.getByRole("link", { name: "Ask an admin to create a key: No API key works" }).click();
  await page.waitForURL(`**/dashboard/workspaces/${own.workspace_id}`);
  await page.goto(`${app}/check`);
  const below = page.getByRole("link", { name: "Ask a member to import codes", exact: true }).first();
  await expect(below).toHaveAttribute("href", `/dashboard/workspaces/${own.workspace_id}`);
  await page.goto(app);
  await expect(page.getByRole("link", { name: /^Ask a member to import codes/ }).first()).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(async () => {
    if (!(await palette.isVisible())) await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("create", { timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole("option", { name: "Create workspace" })).toBeVisible();
  await expect(page.getByRole("option", { name: /^Create (campaign|pool|API key|app)/ })).toHaveCount(0);
  await context.close();
});
