import { expect, type Page, test } from "playwright/test";
import { expectAccessible, hydrated, openHydrated } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { enterKey, keyField, pasteKey, REDEEM } from "@/e2e/parts/sandbox-key";
import { cookiesOf, makeAccountWithPassword, signInAs } from "@/e2e/parts/sign-in";

const own = withSample();

/** Creates a key on the page of keys and returns its text. */
async function createKey(page: Page, name: string, access = "Full access"): Promise<string> {
  await openHydrated(page, `/dashboard/apps/${own.current.app_id}/keys`);
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByText(access, { exact: true }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const text = (await dialog.getByTestId("api-key").textContent()) ?? "";
  const filled = dialog.getByText("use it until you sign out");
  await expect(filled).toHaveCount(access === "Full access" ? 1 : 0);
  await dialog.getByRole("button", { name: "I have stored the key" }).click();
  return text;
}

test("a key of the dashboard is filled in at once, until it is revoked or its owner signs out", async ({
  page,
  context,
}) => {
  // A separate session, because this test ends it.
  await context.clearCookies();
  await signInAs(page, "/dashboard", own.current.owner);
  const reference = await context.newPage();
  const sample = reference.getByRole("tabpanel");
  await openHydrated(reference, REDEEM);
  await expect(sample).toContainText("mc_test_your_key");
  await createKey(page, "Phone", "Phone app");
  await expect(sample).toContainText("mc_test_your_key");
  const first = await createKey(page, "First");
  await expect(sample).toContainText(first);
  await page.getByRole("button", { name: "Revoke First" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(sample).toContainText("mc_test_your_key");
  const second = await createKey(page, "Second");
  await reference.reload();
  await expect(sample).toContainText(second);
  await expect(reference.getByText("stored in this browser until you sign out")).toBeVisible();
  await reference.getByRole("button", { name: "Send request" }).click();
  await expect(reference.getByText(/^200 in/)).toBeVisible();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await expect(sample).toContainText("mc_test_your_key");
  expect(await reference.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("mc_test_");
});

test("a rotated key is stored in full for its account, and its revocation clears it", async ({ page }) => {
  await createKey(page, "Rotating");
  const stored = () => page.evaluate(() => localStorage.getItem("metacode.sandbox-key"));
  const before = await stored();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Rotate Rotating" }).click();
  await dialog.getByLabel("The old key").selectOption("now");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const next = (await dialog.getByTestId("api-key").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored the key" }).click();
  expect(before).not.toContain(next);
  await expect.poll(stored).toBe(`${before?.split(" ")[0]} ${next}`);
  // The list may still show the old key, which has the same name.
  await expect(page.getByRole("listitem").filter({ hasText: next.slice(-4) })).toBeVisible();
  await page.getByRole("button", { name: "Revoke Rotating" }).click();
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect.poll(stored).toBeNull();
});

test("a key that the API refused is named as such until it is forgotten or replaced", async ({ page }) => {
  await pasteKey(page, "mc_test_0123456789abcdefghij");
  await page.getByRole("button", { name: "Send request" }).click();
  const invalid = page.getByRole("alert").filter({ hasText: "The API refused this key." });
  await expect(invalid).toBeVisible();
  await expectAccessible(page);
  await invalid.getByRole("button", { name: "Forget this key" }).click();
  await expect(invalid).toHaveCount(0);
  await expect(page.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await enterKey(page, own.current.api_key);
  await expect(page.getByRole("tabpanel")).toContainText(own.current.api_key);
  await expect(page.getByText(/^401 in/)).toBeVisible();
  await expect(invalid).toHaveCount(0);
});

test("a key is shown to the account that stored it only, also from a page of an ended session", async ({
  page,
  context,
}) => {
  await pasteKey(page, own.current.api_key);
  const sample = page.getByRole("tabpanel");
  await expect(sample).toContainText(own.current.api_key);
  const mine = await context.cookies();
  // Without the sign-in page, because links in emails and OAuth start a session, too.
  await context.addCookies(await cookiesOf(await makeAccountWithPassword("Dora Damson")));
  const other = await context.newPage();
  await openHydrated(other, REDEEM);
  await expect(keyField(other)).toHaveAccessibleDescription(/until you sign out\. Create a sandbox app/);
  await expect(other.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await page.getByRole("button", { name: "Forget key" }).click();
  await enterKey(page, own.current.api_key);
  await expect(sample).toContainText(own.current.api_key);
  await expect(other.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await other.reload();
  await hydrated(other);
  await expect(other.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await context.addCookies(mine);
  await other.reload();
  await expect(other.getByRole("tabpanel")).toContainText(own.current.api_key);
});

test("the key of a visitor is forgotten at the sign-in", async ({ page, context }) => {
  await context.clearCookies();
  await pasteKey(page, own.current.api_key);
  await expect(page.getByText("stored in this tab until you close it")).toBeVisible();
  await signInAs(page, REDEEM, own.current.owner);
  await expect(keyField(page)).toHaveAccessibleDescription(/until you sign out/);
  await expect(page.getByRole("tabpanel")).toContainText("mc_test_your_key");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("mc_test_");
});

test("the key of an ended session is not shown, that of a visitor stays in its tab", async ({
  page,
  context,
}) => {
  await pasteKey(page, own.current.api_key);
  await context.clearCookies();
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("tabpanel")).toContainText("mc_test_your_key");
  await pasteKey(page, own.current.api_key);
  await expect(page.getByText("stored in this tab until you close it")).toBeVisible();
  const other = await context.newPage();
  await openHydrated(other, REDEEM);
  await expect(keyField(other)).toBeVisible();
});

test("a sign-out on a page whose session had ended forgets the key, too", async ({ page, context }) => {
  await context.clearCookies();
  await signInAs(page, "/dashboard", own.current.owner);
  await createKey(page, "Last");
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(await stored()).toContain("mc_test_");
  await context.clearCookies();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await expect.poll(stored).not.toContain("mc_test_");
});
