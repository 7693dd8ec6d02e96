import { expect, type Locator, type Page } from "playwright/test";

/** Reloads until something written each second is there. */
export async function appears(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
