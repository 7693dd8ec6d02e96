import { readFileSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import { expect, test } from "playwright/test";
import { uuidv7 } from "uuidv7";
import { makeSeparateApp } from "@/e2e/parts/apps";
import { PHONE_VIEWPORT } from "@/e2e/parts/page-checks";
import { MOST_ROWS } from "@/lib/contract/bulk";
import { batches, pools } from "@/lib/platform/db/schema";
import { checkFile, codesPath, countOf, fileLike, poolOf } from "./parts/code-files";
import type { SessionCookie } from "./parts/sign-in";
import { memberCookies } from "./parts/tickets";
import { sample } from "./sample";

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await memberCookies("owner", sample().workspace_id, "Mia Member");
});
test.beforeEach(({ context }) => context.addCookies(cookies));

test("a pool is created, a custom code added, its batch quarantined, restored and undone", async ({
  page,
}) => {
  const name = `Summer ${Date.now()}`;
  const code = `SUMMER${Date.now()}`;
  await page.goto(codesPath());
  await page.getByRole("button", { name: "Create pool" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Low-stock recipients").fill("no address");
  await dialog.getByRole("button", { name: "Create pool" }).click();
  await expect(dialog.getByText("must be email addresses")).toBeVisible();
  await dialog.getByLabel("Low-stock recipients").fill("stock@example.com");
  await dialog.getByRole("button", { name: "Create pool" }).click();
  await page.getByRole("region", { name }).getByRole("link", { name: "Import codes" }).click();
  await page.getByRole("link", { name: "Custom code" }).click();
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Redemption limit").fill("12");
  await page.getByRole("button", { name: "Add code" }).click();
  await expect(page.getByText("Custom code", { exact: true })).toBeVisible();
  await expect(countOf(page, "Free")).toHaveText("12");
  expect(await page.content()).not.toContain(code);
  const act = async (button: string, submit: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await dialog.getByRole("button", { name: submit }).click();
    await expect(dialog).toHaveCount(0, { timeout: 200_000 });
  };
  await act("Quarantine", "Quarantine batch");
  await expect(page.getByText("Quarantined", { exact: true }).first()).toBeVisible();
  await act("Restore", "Restore batch");
  await page.getByRole("button", { name: "Undo import" }).click();
  await expect(dialog.getByRole("button", { name: "Undo import" })).toBeDisabled();
  await dialog.getByLabel(/^Type undo/).fill("undo");
  await dialog.getByRole("button", { name: "Undo import" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();

  await page.goto(codesPath());
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete pool" }).click();
  await expect(page.getByRole("region", { name })).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("a pool is one block on a phone, with a button that leads to its batches", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(codesPath());
  const pool = page.getByRole("region", { name: "iOS reward codes", exact: true });
  await expect(pool.getByText("Assigned so far")).toBeVisible();
  await expect(pool.getByRole("table")).toBeHidden();
  await pool.getByRole("link", { name: /^\d+ batch(es)?$/ }).click();
  await page.waitForURL("**/codes/pools/*");
  await expect(page.getByRole("region", { name: /^Batches/ }).getByRole("table")).toBeVisible();
});

test("batches are quarantined and restored at once, at most as many as one change may have", async ({
  page,
}) => {
  const refereePool = and(eq(pools.platform, "ios"), eq(pools.use, "referee"));
  let poolId = "";
  const app = await makeSeparateApp("Many batches", async ({ db, app: { id: appId } }) => {
    const [pool] = await db.orm
      .select()
      .from(pools)
      .where(and(eq(pools.appId, appId), refereePool));
    poolId = pool?.id ?? "";
    const key = { appId, poolId, kind: "one_time", state: "ready" } as const;
    const rows = Array.from({ length: MOST_ROWS }, (_, at) => ({
      ...key,
      id: uuidv7(),
      origin: `${at}.csv`,
    }));
    await db.orm.insert(batches).values(rows);
  });
  await page.goto(`/dashboard/apps/${app.id}/codes/pools/${poolId}`);
  const dialog = page.getByRole("dialog");
  const cells = (text: string) => page.getByRole("cell", { name: text, exact: true });
  const change = async (label: string) => {
    await page.getByRole("button", { name: `${label}: 200 batches` }).click();
    await dialog.getByRole("button", { name: label, exact: true }).click();
    // Each batch changes in its own transaction.
    await expect(dialog).toHaveCount(0, { timeout: 180_000 });
  };
  await page.getByLabel("Select all on this page").check();
  await expect(page.getByText("200 batches selected, the most that can change at once")).toBeVisible();
  await change("Quarantine");
  await expect(cells("Quarantined")).toHaveCount(200);
  await page.getByLabel("Select all on this page").check();
  await change("Restore");
  await expect(cells("Quarantined")).toHaveCount(0);

  await page.getByLabel("Select 7.csv", { exact: true }).check();
  await page.getByRole("button", { name: "Restore: 1 batch" }).click();
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(page.getByText("7.csv: The batch is in use and cannot be restored")).toBeVisible();
});

test("an export contains the full codes and is recorded in the audit log", async ({ page }) => {
  const file = fileLike("app-store-api-values.csv");
  await checkFile(page, poolOf("referee_ios"), file);
  await page.getByRole("button", { name: "Import 6 codes" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const csv = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(file.codes.filter((code) => !csv.includes(code))).toEqual([]);
});
