import type { Page } from "playwright/test";
import { openHydrated } from "./page-checks";

/** A page of the reference whose samples contain a key. */
export const REDEEM = "/docs/api/redeem-metacode";

export const keyField = (page: Page) => page.getByRole("textbox", { name: "Sandbox key" });

/** Pastes a key on the open page. */
export async function enterKey(page: Page, text: string): Promise<void> {
  await keyField(page).fill(text);
  await page.getByRole("button", { name: "Use key" }).click();
}

/** Opens a page of the reference and pastes a key. */
export async function pasteKey(page: Page, text: string, path = REDEEM): Promise<void> {
  await openHydrated(page, path);
  await enterKey(page, text);
}
